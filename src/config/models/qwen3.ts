import * as v from 'valibot';
import { whole } from '../fields.ts';
import { kindOfModel } from './kind.ts';
import {
  context,
  heads,
  layers,
  mlp,
  modernSizes,
  rotaryBase,
  rotaryProblem,
  slots,
  tied,
  width,
  window,
} from './shared-fields.ts';

/**
 * Earlier rows that the input of each attention mixes in: h[t] + sum over k = 1..shift of w_k * h[t - k], a causal
 * convolution of each channel by itself after the norm (So et al. 2021, "Primer", has such short convolutions behind the
 * projections instead). It starts as none.
 */
const shift = v.optional(
  whole('Token shift', 0, 8, {
    suffix: 'tokens back',
    description:
      'Before each attention layer, a token mixes in this many of the tokens right before it. Each number of its vector has learned weights of its own. The layer then need not find the neighbours first. 0 for none.',
  }),
  0,
);

export const qwen3 = kindOfModel(
  v.strictObject({
    kind: v.literal('qwen3'),
    ...{ layers, width, heads, context, mlp, window, rotaryBase, shift, slots, tied },
  }),
  {
    title: 'Qwen3',
    longTitle: 'Modern (Qwen3 layout)',
    description: 'A transformer as they are built today: rotary positions, RMSNorm, gated units.',
    family: 'transformer',
    library: 'Hugging Face',
    misfit: ({ shift }) =>
      shift === 0 ? null : { setting: 'model.shift', why: 'Hugging Face’s Qwen3 mixes in no earlier tokens' },
    problemOf: rotaryProblem,
    adapted: modernSizes,
  },
);
