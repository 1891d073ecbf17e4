import * as v from 'valibot';
import { ok } from '../../base/result.ts';
import { measureReport } from '../measure-report.ts';
import type { Study } from '../study.ts';
import { SubjectSchema } from '../subject-schema.ts';
import { readsSquares } from '../testbed/reads-squares.ts';
import {
  equivalence as measure,
  equivalenceDescription,
  EquivalenceReportSchema,
  equivalenceSettings,
} from './equivalence.ts';

const EquivalenceSchema = v.object({ subject: SubjectSchema, ...EquivalenceReportSchema.entries });

/** Compression and distinction on move orders that lead to one position, and on different positions. */
export const equivalence: Study<v.InferOutput<typeof equivalenceSettings>, v.InferOutput<typeof EquivalenceSchema>> = {
  name: 'equivalence',
  title: 'Two ways to one position',
  source: 'Vafa et al., “Evaluating the World Model Implicit in a Generative Model”, NeurIPS 2024, section 3',
  description: equivalenceDescription,
  appliesTo: readsSquares,
  refusal: 'Move orders are compared for models that write chess moves square by square; choose another model.',
  settings: equivalenceSettings,
  games: 'probe',
  async assess(engine, { notation, about }, games, settings, measuring) {
    const made = await measure(engine, notation, { ...settings, games: games!.probe }, measuring);
    return made.ok ? ok({ subject: about, ...made.value }) : made;
  },
  stored: {
    schema: EquivalenceSchema,
    label: ({ compression }) => `${compression.n} pairs`,
    report: (assessments) =>
      measureReport(equivalence, assessments, {
        rows: () => [''],
        heading: '',
        columns: [
          {
            title: 'Compression, %',
            value: ({ compression }) => ({ share: compression.precision, ci95: compression.ci95 }),
          },
          {
            title: 'Distinction: precision, %',
            value: ({ distinction }) => ({ share: distinction.precision, ci95: distinction.ci95.precision }),
          },
          {
            title: 'Distinction: recall, %',
            value: ({ distinction }) => ({ share: distinction.recall, ci95: distinction.ci95.recall }),
          },
          { title: 'Pairs', value: ({ compression }) => ({ count: compression.n }) },
        ],
        answers: ({ examples }) =>
          examples.map(({ kind, first, second, suffix }) => ({
            question: kind === 'orders' ? 'Is this accepted after both orders?' : 'Does this tell the positions apart?',
            verdict: suffix,
            more: `After the other: ${second}.`,
            prompt: first,
          })),
      }),
  },
};
