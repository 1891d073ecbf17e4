import type * as tf from '@tensorflow/tfjs-core';
import {
  modernHead,
  modernSlotEmbedding,
  modernTokenEmbedding,
  type AttentionNames,
  type ConvolutionNames,
  type ModernLayout,
} from '../../../../models/modern.ts';
import { lookUp } from '../operations/embedding.ts';
import { gatedUnit } from '../operations/gated-unit.ts';
import { linearTransposed, residual } from '../operations/linear.ts';
import type { Parameters } from './network.ts';
import { rmsNorm } from '../operations/rms-norm.ts';
import { rotary, rotation } from '../operations/rotary.ts';
import { shortConvolution, shortConvolutionAfter } from '../operations/short-convolution.ts';
import { shiftAfter, tokenShift } from '../operations/token-shift.ts';
import type { Attention, Block, Family, Mix } from './transformer.ts';

/** The modern family as src/models/modern.ts describes it: Qwen3, LFM2. */
export function modern(layout: ModernLayout, context: number): Family {
  const { epsilon } = layout;
  const norm = (p: Parameters, x: tf.Tensor2D, name: string) => rmsNorm(x, p.get(name) as tf.Tensor1D, epsilon);
  return {
    ...{ layers: layout.layers.length, heads: layout.heads, context, window: layout.window, head: modernHead(layout) },
    begin(p, inputs, positions) {
      const at = positions ?? Int32Array.from({ length: inputs.rows * inputs.columns }, (_, i) => i % inputs.columns);
      const turn = rotation(at, layout.width / layout.heads, layout.rotaryBase);
      const linear = (x: tf.Tensor2D, ...names: string[]) =>
        linearTransposed(
          x,
          names.map((name) => p.get(name) as tf.Tensor2D),
        );
      const attended = (x: tf.Tensor2D, names: AttentionNames, attention: Attention, mix: Mix, layer: number) => {
        const taps = names.shift === null ? null : (p.get(names.shift) as tf.Tensor2D);
        const mixed = taps
          ? mix(
              x,
              (rows) => tokenShift(rows, taps, inputs.rows),
              (rows, before, lengths) => shiftAfter(rows, taps, before, lengths),
            )
          : x;
        const gains = [names.queryNorm, names.keyNorm].map((name) => p.get(name) as tf.Tensor1D);
        const qkv = linear(mixed, names.query, names.key, names.value);
        return linear(attention(rotary(qkv, gains[0], gains[1], turn, epsilon), layer), names.out);
      };
      const convolved = (x: tf.Tensor2D, names: ConvolutionNames, mix: Mix) => {
        const taps = p.get(names.convolution) as tf.Tensor3D;
        const read = mix(
          linear(x, names.into),
          (rows) => shortConvolution(rows, taps, inputs.rows),
          (rows, before, lengths) => shortConvolutionAfter(rows, taps, before, lengths),
        );
        return linear(read, names.out);
      };
      const block: Block = (layer, x, attention, _drop, mix = (rows, whole) => whole(rows)) => {
        const { mixer, mixerNorm, feedForwardNorm, gate, up, down } = layout.layers[layer];
        const normed = norm(p, x, mixerNorm);
        const mixed =
          mixer.kind === 'attention' ? attended(normed, mixer, attention, mix, layer) : convolved(normed, mixer, mix);
        const middle = residual(x, mixed);
        return residual(middle, linear(gatedUnit(linear(norm(p, middle, feedForwardNorm), gate, up)), down));
      };
      const tokens = lookUp(inputs.oneHot, p.get(modernTokenEmbedding) as tf.Tensor2D);
      const slots = inputs.slots && lookUp(inputs.slots, p.get(modernSlotEmbedding) as tf.Tensor2D);
      return { x: slots ? residual(tokens, slots) : tokens, block };
    },
    finalNorm: (p, x) => norm(p, x, layout.finalNorm),
  };
}
