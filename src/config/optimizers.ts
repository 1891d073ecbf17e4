import * as v from 'valibot';
import { real, whole } from './fields.ts';

const adamwFields = {
  learningRate: real('Learning rate', 1e-7, 1),
  beta1: real('Beta 1', 0, 0.9999),
  beta2: real('Beta 2', 0, 0.99999),
  epsilon: real('Epsilon', 1e-12, 1e-2),
  weightDecay: real('Weight decay', 0, 1),
  clipNorm: real('Largest gradient', 0, 1e6),
};

const adamw = v.strictObject({ kind: v.literal('adamw'), ...adamwFields });

/** Muon for the matrices inside the layers; AdamW, as its own fields say, for everything else. */
const muon = v.strictObject({
  kind: v.literal('muon'),
  ...adamwFields,
  /** Peak learning rate of the matrices. */
  matrixRate: real('Matrix rate', 1e-7, 1),
  matrixDecay: real('Matrix decay', 0, 1),
  /** Rises from `momentumStart` in a straight line over the first `momentumSteps` steps (Jordan et al. 2024). */
  momentum: v.optional(real('Momentum', 0, 0.9999), 0.95),
  momentumStart: v.optional(real('Momentum at first', 0, 0.9999), 0.85),
  momentumSteps: v.optional(
    whole('Momentum rises for', 0, 1e8, {
      suffix: 'steps',
      description:
        'Matrix rate, matrix decay and momentum are for the matrices inside the layers; the fields above are AdamW’s, for everything else.',
    }),
    150,
  ),
});

/** The optimisers, each with the settings that a model's run gets where another optimiser did not have them. */
export const OPTIMIZERS = {
  adamw: { title: 'AdamW', description: 'AdamW moves every weight at a rate of its own.', schema: adamw, usual: {} },
  muon: {
    title: 'Muon',
    description: 'Muon moves each matrix in all its directions alike; learns more a step, and a step costs more.',
    schema: muon,
    /** As the lab's own measurements like it. */
    usual: { matrixRate: 0.012, matrixDecay: 0.01 },
  },
} as const;

export type OptimizerName = keyof typeof OPTIMIZERS;

export const OptimizerSchema = v.variant(
  'kind',
  Object.values(OPTIMIZERS).map(({ schema }) => schema),
);
export type Optimizer = v.InferOutput<typeof OptimizerSchema>;

/** The optimiser as the other kind; AdamW's part stays, since Muon leaves it everything but the matrices. */
export function optimizerOfKind(optimizer: Optimizer, kind: OptimizerName): Optimizer {
  if (optimizer.kind === kind) return optimizer;
  const { schema, usual } = OPTIMIZERS[kind];
  return v.parse(v.object(schema.entries as v.ObjectEntries), { ...usual, ...optimizer, kind }) as Optimizer;
}
