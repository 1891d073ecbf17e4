import * as v from 'valibot';
import { ok } from '../../base/result.ts';
import { measureReport } from '../measure-report.ts';
import { numberSetting } from '../setting-fields.ts';
import type { Study } from '../study.ts';
import { whole } from '../stored-numbers.ts';
import { SubjectSchema } from '../subject-schema.ts';
import { readsSquares } from '../testbed/reads-squares.ts';
import { recordNotes } from '../testbed/report/notes.ts';
import {
  adversaries,
  soundness as attack,
  soundnessDescription,
  SoundnessReportSchema,
  type Adversary,
} from './soundness.ts';

export const soundnessSettings = v.object({
  count: numberSetting('Games for each opponent', 10, { min: 1, max: 1000 }),
  warmUp: numberSetting('Plies of a real game first', 10, { min: 0, max: 100 }),
  plies: numberSetting('Plies at most', 60, { min: 2, max: 300 }),
  seed: numberSetting(null, 1, { min: 0, max: Number.MAX_SAFE_INTEGER }),
});

const SoundnessSchema = v.object({
  subject: SubjectSchema,
  ...SoundnessReportSchema.entries,
  /** Of the record of a shipped model, which has no single games: how they began, and the most plies after that. */
  recorded: v.optional(v.object({ warmUp: whole, plies: whole })),
});

/** What each opponent does, behind "The opponent". */
const opponents: Record<Adversary, string> = {
  random: 'plays at random',
  own: 'plays as the model would',
  'least likely': 'plays what the model finds least likely',
  'illegal mass': 'plays where the model leans to illegal answers',
};

/** Attacks by opponents who play legal moves alone. */
export const soundness: Study<v.InferOutput<typeof soundnessSettings>, v.InferOutput<typeof SoundnessSchema>> = {
  name: 'soundness',
  title: 'Under attack',
  source:
    'Balogh and Jelasity, “Verification of the implicit world model in a generative model via adversarial sequences”, ICLR 2026, section 3',
  description: soundnessDescription,
  appliesTo: readsSquares,
  refusal: 'Only a model that writes chess moves square by square can be attacked here; choose another model.',
  settings: soundnessSettings,
  games: 'probe',
  async assess(engine, { notation, about }, games, settings, measuring) {
    const made = await attack(engine, notation, { ...settings, games: games!.probe }, measuring);
    return made.ok ? ok({ subject: about, ...made.value }) : made;
  },
  stored: {
    schema: SoundnessSchema,
    recorded: (subject, { scores }) => {
      if (!('soundness' in scores) || !scores.soundness) return null;
      const { games, warmUp, plies, attacks } = scores.soundness;
      const rows = attacks.flatMap(({ adversary: name, attackSuccess, ci95 }) => {
        const adversary = adversaries.find((one) => one === name);
        const unrecorded = { legalMoves: null, pliesToSuccess: null, resigned: null, examples: [] };
        return adversary ? [{ adversary, attackSuccess, ci95, ...unrecorded }] : [];
      });
      return { subject, games, rows, recorded: { warmUp, plies } };
    },
    label: ({ games }) => `${games} games for each opponent`,
    report: (assessments) =>
      measureReport(soundness, assessments, {
        rows: ({ rows }) => rows.map(({ adversary }) => opponents[adversary]),
        heading: 'The opponent',
        columns: [
          {
            title: 'Attack succeeds, %',
            value: ({ rows }, at) => ({ share: rows[at].attackSuccess, ci95: rows[at].ci95 }),
          },
          { title: 'The model’s moves legal, %', value: ({ rows }, at) => ({ share: rows[at].legalMoves }) },
          { title: 'Plies until then', value: ({ rows }, at) => ({ mean: rows[at].pliesToSuccess }) },
        ],
        answers: ({ rows }, at) =>
          rows[at].examples.map(({ prompt, wrote, words }) => ({
            question: 'What does the model answer?',
            verdict: `${wrote}: ${words}`,
            prompt,
          })),
        notes: ({ subject, games, recorded }) =>
          recorded
            ? [
                `${subject.name}: ${games} games for each opponent, each after the first ${recorded.warmUp} plies of a held-out game, at most ${recorded.plies} plies more.`,
                ...recordNotes([subject]),
              ]
            : [],
      }),
  },
};
