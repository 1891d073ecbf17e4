import * as v from 'valibot';
import { field, whole } from '../fields.ts';
import { kindOfModel } from './kind.ts';
import { context, heads, mlp, modernSizes, rotaryBase, rotaryProblem, slots, tied, width } from './shared-fields.ts';

/** A letter a layer: c for a short convolution, a for attention, which Lfm2ForCausalLM wants at least once. */
const pattern = field(
  v.pipe(
    v.string(),
    v.maxLength(48),
    v.regex(/^c*a[ca]*$/, 'a pattern has a letter for each layer: c for convolution, a for attention, at least one a'),
  ),
  {
    title: 'Layers are',
    labels: {
      ca: 'Convolution, attention',
      caa: 'Convolution, then attention twice',
      caaa: 'Convolution, then attention three times',
      caaaa: 'Convolution, then attention four times',
      caaaaa: 'Convolution, then attention five times',
      caaaaaaa: 'Convolution, then attention seven times',
      caca: 'Convolution and attention in turn, four in all',
      cacacaca: 'Convolution and attention in turn, eight in all',
      aaaa: 'Attention four times',
    },
    description:
      'A convolution reads the tokens right before, each number of a vector with weights of its own, and lets a gate decide what of it counts; attention looks for what it needs in all that came before. A link or the command line may write any row of the letters c and a.',
  },
);

const taps = v.optional(
  whole('Convolutions read', 1, 8, { suffix: 'tokens', description: 'The token itself and those right before it.' }),
  3,
);

export const lfm2 = kindOfModel(
  v.strictObject({
    kind: v.literal('lfm2'),
    ...{ pattern, width, heads, context, mlp, taps, rotaryBase, slots, tied },
  }),
  {
    title: 'LFM2',
    longTitle: 'Modern with convolutions (LFM2)',
    description: 'A modern transformer in which some layers read only the tokens right before, by a gated convolution.',
    family: 'transformer',
    library: 'Hugging Face',
    problemOf: rotaryProblem,
    adapted: (shared) => ({
      ...modernSizes(shared),
      pattern: (shared.layers > 1 ? 'c' : '') + 'a'.repeat(Math.max(1, shared.layers - 1)),
    }),
  },
);
