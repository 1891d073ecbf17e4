import * as v from 'valibot';
import { ok } from '../../base/result.ts';
import type { Figure } from '../../report/table.ts';
import { measureReport } from '../measure-report.ts';
import { numberSetting } from '../setting-fields.ts';
import type { Study } from '../study.ts';
import { whole } from '../stored-numbers.ts';
import { SubjectSchema } from '../subject-schema.ts';
import { readsSquares } from '../testbed/reads-squares.ts';
import { recordNotes } from '../testbed/report/notes.ts';
import { legalGames, legalGamesDescription, LegalGamesSchema } from './legal-games.ts';

export const selfPlaySettings = v.object({
  count: numberSetting('Number of games', 20, { min: 1, max: 10_000 }),
  warmUp: numberSetting('Plies of a real game first', 10, { min: 0, max: 100 }),
  plies: numberSetting('Plies at most', 150, { min: 1, max: 600 }),
  temperature: numberSetting('Temperature', 1, { min: 0, max: 5, whole: false }),
  seed: numberSetting(null, 1, { min: 0, max: Number.MAX_SAFE_INTEGER }),
});

const SelfPlaySchema = v.object({
  subject: SubjectSchema,
  ...LegalGamesSchema.entries,
  /** Of the record of a shipped model, which has no single games: the most plies of a game. */
  recorded: v.optional(v.object({ plies: whole })),
});
type SelfPlayAssessment = v.InferOutput<typeof SelfPlaySchema>;

/** Games that a model plays against itself, to the first illegal move. */
export const selfPlay: Study<v.InferOutput<typeof selfPlaySettings>, SelfPlayAssessment> = {
  name: 'self-play',
  title: 'Playing alone',
  source: 'Share of fully legal games, as reported for language models of chess since Karvonen 2024',
  description: legalGamesDescription,
  appliesTo: readsSquares,
  refusal: 'Only a model that writes chess moves square by square can play alone here; choose another model.',
  settings: selfPlaySettings,
  games: 'probe',
  async assess(engine, { notation, about }, games, settings, measuring) {
    const made = await legalGames(engine, notation, { ...settings, games: games!.probe }, measuring);
    return made.ok ? ok({ subject: about, ...made.value }) : made;
  },
  stored: {
    schema: SelfPlaySchema,
    recorded: (subject, { scores }) => {
      if (!('soundness' in scores) || !scores.soundness) return null;
      const { games, warmUp, plies, alone } = scores.soundness;
      return {
        ...{ subject, temperature: 1, warmUp, games, legalPlies: null, legalGamePlies: null, ...alone },
        ...{ lengths: [], illegal: [], recorded: { plies } },
      };
    },
    label: ({ games, temperature }) => `${games} games at temperature ${temperature}`,
    report: (assessments) =>
      measureReport(selfPlay, assessments, {
        rows: ({ temperature }) => [`temperature ${temperature}`],
        heading: 'Sampling',
        columns: [
          { title: 'Games without an illegal move, %', value: ({ fullyLegal, ci95 }) => ({ share: fullyLegal, ci95 }) },
          { title: 'Plies legal, %', value: ({ legalPlies }) => ({ share: legalPlies }) },
          { title: 'Plies of a legal game', value: ({ legalGamePlies }) => ({ mean: legalGamePlies }) },
          { title: 'Games', value: ({ games }) => ({ count: games }) },
        ],
        answers: ({ illegal }) =>
          illegal.map(({ moves, wrote, words }) => ({
            question: 'What comes next?',
            verdict: `${wrote}: ${words}`,
            prompt: moves,
          })),
        notes: ({ subject, warmUp, recorded }) => [
          `${subject.name}: ${warmUp === 0 ? 'from the initial position' : `each game after the first ${warmUp} plies of a held-out game`}${recorded ? `, at most ${recorded.plies} plies more` : ''}.`,
          ...(recorded ? recordNotes([subject]) : []),
        ],
        figure: lengthsFigure,
      }),
  },
};

/** Plies a column of the figure is wide. */
const WIDTH = 10;

/** How many plies each model plays in its games, to the first illegal one. */
function lengthsFigure(all: readonly SelfPlayAssessment[]): Figure | null {
  const assessments = all.filter(({ recorded }) => !recorded);
  if (assessments.length === 0) return null;
  const columns = Math.max(0, ...assessments.flatMap(({ lengths }) => lengths.map(columnOf))) + 1;
  return {
    id: 'self-play-lengths',
    title: 'Plies that it plays',
    description: `Games by the plies that the model plays in them, to the first illegal one, the end of the game or the limit. Each column is ${WIDTH} plies wide and named by its least.`,
    kind: 'bars',
    x: { title: 'plies', categories: Array.from({ length: columns }, (_, at) => String(at * WIDTH)) },
    y: { title: 'games', logarithmic: false, unit: 'plain' },
    series: assessments.map(({ subject, temperature, lengths }) => ({
      name: `${subject.name}, temperature ${temperature}`,
      points: Array.from({ length: columns }, (_, x) => ({
        ...{ x, y: lengths.filter((plies) => columnOf(plies) === x).length, ci95: null },
      })),
    })),
    notes: [],
  };
}

const columnOf = (plies: number): number => Math.floor(plies / WIDTH);
