import * as v from 'valibot';
import { ok } from '../../base/result.ts';
import { measureReport } from '../measure-report.ts';
import { numberSetting } from '../setting-fields.ts';
import type { Study } from '../study.ts';
import { SubjectSchema } from '../subject-schema.ts';
import { isPlayed, playedGame } from './move-reader.ts';
import { strength as measure, StrengthReportSchema, type StrengthReport } from './strength.ts';

const settings = v.object({
  count: numberSetting('Number of games', 20, { min: 1, max: 10_000 }),
  warmUp: numberSetting('Plies of a real game first', 4, { min: 0, max: 100 }),
  plies: numberSetting('Plies at most', 100, { min: 1, max: 600 }),
  temperature: numberSetting('Temperature', 0, { min: 0, max: 5, whole: false }),
  seed: numberSetting(null, 1, { min: 0, max: Number.MAX_SAFE_INTEGER }),
});

const StrengthSchema = v.object({ subject: SubjectSchema, ...StrengthReportSchema.entries });
export type StrengthAssessment = v.InferOutput<typeof StrengthSchema>;

/** How strong a model is against random moves, and how often the rules must hold it back. */
export const strength: Study<v.InferOutput<typeof settings>, StrengthAssessment> = {
  name: 'strength',
  title: 'Strength',
  source: 'Games against a player of random legal moves',
  description:
    'The model plays games against an opponent who picks each move at random from the legal ones. The games begin as held-out ones do, and the ' +
    'model moves first in every other one. Where the move that it chooses is illegal, its likeliest legal move is played ' +
    'instead, and the choice is counted. A game that is not over at the limit goes to the side that is ahead, in chess by material. ' +
    'A score of 50 percent is what random moves score; a good player scores nearly 100.',
  appliesTo: isPlayed,
  refusal: 'No two sides take turns in this game, so its strength cannot be measured.',
  settings,
  games: 'probe',
  async assess(engine, subject, games, request, measuring) {
    const game = playedGame(subject);
    if (!game.ok) return game;
    const held = [games!.probe, games!.test, games!.dev].find((split) => split.length > 0) ?? games!.probe;
    const made = await measure(engine, game.value, { ...request, games: held }, measuring);
    return made.ok ? ok({ subject: subject.about, ...made.value }) : made;
  },
  stored: {
    schema: StrengthSchema,
    label: ({ games, temperature }) => `${games} games at temperature ${temperature}`,
    report: (assessments) =>
      measureReport(strength, assessments, {
        rows: ({ temperature }) => [`temperature ${temperature}`],
        heading: 'Sampling',
        columns: [
          { title: 'Score, %', value: ({ score, ci95 }) => ({ share: score, ci95 }) },
          { title: 'Won', value: ({ won }) => ({ count: won }) },
          { title: 'Drawn', value: ({ drawn }) => ({ count: drawn }) },
          { title: 'Lost', value: ({ lost }) => ({ count: lost }) },
          {
            title: 'Illegal choices, %',
            value: ({ illegal, moves, illegalCi95 }) => ({
              share: moves === 0 ? null : illegal / moves,
              ci95: illegalCi95,
            }),
          },
        ],
        answers: ({ examples }) =>
          examples.map(({ moves, wish, why }) => ({
            question: 'What does the model want to play?',
            verdict: `${wish}: ${why}`,
            prompt: moves,
          })),
        notes: ({ subject, games, counted }) =>
          counted === 0 ? [] : [`${subject.name}: ${counted} of ${games} games were not over and were counted out.`],
      }),
  },
};

/** A strength in a sentence, intervals rounded outward: "Scores 71 to 79% against random moves; ..." */
export function strengthSentence({ ci95, games, illegalCi95, moves }: StrengthReport): string {
  const range = ([low, high]: [number, number]): string => {
    const [from, to] = [Math.floor(100 * low), Math.ceil(100 * high)];
    return from === to ? `${from}%` : `${from} to ${to}%`;
  };
  return `Scores ${range(ci95)} against random moves in ${games} games; ${range(illegalCi95)} of its ${moves} choices are illegal.`;
}
