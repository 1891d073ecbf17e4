import * as v from 'valibot';
import { ok } from '../../base/result.ts';
import type { Figure } from '../../report/table.ts';
import { measureReport } from '../measure-report.ts';
import { numberSetting } from '../setting-fields.ts';
import type { Study } from '../study.ts';
import { SubjectSchema } from '../subject-schema.ts';
import { readsSquares } from '../testbed/reads-squares.ts';
import { legalGames, legalGamesWords } from './legal-games.ts';

export const selfPlaySettings = v.object({
  count: numberSetting('Games', 20, { min: 1, max: 10_000 }),
  warmUp: numberSetting('Plies of a real game first', 10, { min: 0, max: 100 }),
  plies: numberSetting('Plies at most', 150, { min: 1, max: 600 }),
  temperature: numberSetting('Temperature', 1, { min: 0, max: 5, whole: false }),
  seed: numberSetting(null, 1, { min: 0, max: Number.MAX_SAFE_INTEGER }),
});

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const whole = v.pipe(v.number(), v.integer(), v.minValue(0));

const SelfPlaySchema = v.object({
  subject: SubjectSchema,
  temperature: v.number(),
  warmUp: whole,
  games: whole,
  fullyLegal: share,
  ci95: v.tuple([share, share]),
  legalPlies: share,
  lengths: v.array(whole),
  illegal: v.array(v.object({ moves: v.string(), wrote: v.string(), words: v.string() })),
});
export type SelfPlayAssessment = v.InferOutput<typeof SelfPlaySchema>;

/** Games that a model plays against itself, to the first illegal move. */
export const selfPlay: Study<v.InferOutput<typeof selfPlaySettings>, SelfPlayAssessment> = {
  name: 'self-play',
  title: 'Playing alone',
  source: 'Share of fully legal games, as reported for language models of chess since Karvonen 2024',
  description: legalGamesWords,
  appliesTo: readsSquares,
  refusal: 'Only a model that writes chess moves square by square can play alone here; choose another model.',
  settings: selfPlaySettings,
  games: 'probe',
  async assess(engine, { notation, about }, games, settings, measuring) {
    const made = await legalGames(engine, notation, { ...settings, games: games!.probe }, measuring);
    return made.ok ? ok({ subject: about, ...made.value }) : made;
  },
  kept: {
    schema: SelfPlaySchema,
    label: ({ games, temperature }) => `${games} games at temperature ${temperature}`,
    report: (assessments) =>
      measureReport(selfPlay, assessments, {
        rows: ({ temperature }) => [`temperature ${temperature}`],
        heading: 'Drawn at',
        columns: [
          { title: 'Games without an illegal move, %', value: ({ fullyLegal, ci95 }) => ({ share: fullyLegal, ci95 }) },
          { title: 'Plies legal, %', value: ({ legalPlies }) => ({ share: legalPlies }) },
          { title: 'Games', value: ({ games }) => ({ count: games }) },
        ],
        answers: ({ illegal }) =>
          illegal.map(({ moves, wrote, words }) => ({
            question: 'What comes next?',
            verdict: `${wrote}: ${words}`,
            right: false,
            more: '',
            prompt: moves,
          })),
        notes: ({ subject, warmUp }) => [
          `${subject.name}: ${warmUp === 0 ? 'from the initial position' : `each game after the first ${warmUp} plies of a held-out game`}.`,
        ],
        figure: lengthsFigure,
      }),
  },
};

/** Plies a column of the figure is wide. */
const WIDTH = 10;

/** How many plies each model plays in its games, to the first illegal one. */
function lengthsFigure(assessments: readonly SelfPlayAssessment[]): Figure {
  const columns = Math.max(0, ...assessments.flatMap(({ lengths }) => lengths.map(columnOf))) + 1;
  return {
    id: 'self-play-lengths',
    title: 'Plies that it plays',
    words: `Games by the plies that the model plays in them, to the first illegal one, the end of the game or the limit. Each column is ${WIDTH} plies wide and named by its least.`,
    kind: 'bars',
    x: { title: 'plies', categories: Array.from({ length: columns }, (_, at) => String(at * WIDTH)) },
    y: { title: 'games', logarithmic: false, unit: 'plain' },
    series: assessments.map(({ subject, temperature, lengths }) => ({
      name: `${subject.name}, temperature ${temperature}`,
      published: false,
      points: Array.from({ length: columns }, (_, x) => ({
        ...{ x, y: lengths.filter((plies) => columnOf(plies) === x).length, ci95: null },
      })),
    })),
    notes: [],
  };
}

const columnOf = (plies: number): number => Math.floor(plies / WIDTH);
