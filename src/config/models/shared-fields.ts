import * as v from 'valibot';
import { choice, real, toggle, whole } from '../fields.ts';

/** Settings that several kinds of models have. What came later is optional, so that older configs still open. */

export const layers = whole('Layers', 1, 48);
export const width = whole('Width', 8, 2048, { step: 8 });
export const heads = whole('Heads', 1, 64);
export const context = whole('Context', 16, 1024, { suffix: 'tokens' });
export const dropout = real('Dropout', 0, 0.9, { step: 0.05 });

export const window = v.optional(
  v.nullable(
    whole('Window', 1, 1024, {
      suffix: 'tokens',
      none: 'all before it',
      description: 'How many tokens back a token sees, itself included.',
    }),
  ),
  null,
);

/** Whether the grammar's slot of each token is an input of the model. */
export const slots = v.optional(
  toggle('Slot embedding', {
    description:
      'Tells the model what kind of token comes next in the spelling (from, to, piece) and whose move it is, nothing about the board.',
  }),
  false,
);

export const start = v.optional(
  choice(
    'Weights at the start',
    { gpt2: 'As GPT-2: small and random', 'zero-out': 'Layers silent at first' },
    { description: 'Layers that add nothing at first learn faster here; GPT-2 starts every weight at random.' },
  ),
  'gpt2',
);

export const tied = v.optional(
  toggle('One table for input and output', {
    description:
      'Tied: the vectors by which tokens are read also score the next token. Untied, the scores have a table of their own, which costs as many weights again.',
  }),
  true,
);

export const mlp = whole('Gated unit', 8, 8192, {
  step: 8,
  suffix: 'wide',
  description: 'The inner width of each layer’s feed-forward part; about 8/3 of the width is usual.',
});

/** Base of the rotary wavelengths (rope_theta). */
export const rotaryBase = v.optional(
  real('Rotary base', 10, 1e8, {
    description: 'Positions are told by rotation; a larger base turns more slowly and reaches further.',
  }),
  10_000,
);

/** Null where the heads share the width evenly. */
export function headsProblem({ width, heads }: { width: number; heads: number }): string | null {
  return width % heads === 0 ? null : `model.width: ${width} must be a multiple of model.heads (${heads}).`;
}

/** As headsProblem, where rotary positions turn pairs of numbers. */
export function rotaryProblem(model: { width: number; heads: number }): string | null {
  const { width, heads } = model;
  const isOdd = (width / heads) % 2 !== 0;
  const problem = `model.width: ${width} over ${heads} heads makes heads ${width / heads} wide; rotary positions need an even number.`;
  return headsProblem(model) ?? (isOdd ? problem : null);
}

/**
 * Heads of an even width, for rotary positions, and a gated unit with as many weights as a plain MLP of 4 widths has,
 * rounded to a multiple of 8.
 */
export function modernSizes({ width, heads }: { width: number; heads: number }) {
  let fewer = heads;
  while (fewer > 1 && (width % fewer !== 0 || (width / fewer) % 2 !== 0)) fewer--;
  return { heads: fewer, mlp: Math.max(8, 8 * Math.round(width / 3)) };
}
