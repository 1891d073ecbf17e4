import type * as tf from '@tensorflow/tfjs-core';
import {
  finalNorm,
  gptHead,
  layerName,
  positionEmbedding,
  slotEmbedding,
  tokenEmbedding,
  type GptConfig,
} from '../../../../models/gpt.ts';
import { embed, embedAt, lookUp } from '../operations/embedding.ts';
import { gelu } from '../operations/gelu.ts';
import { layerNorm } from '../operations/layer-norm.ts';
import { linear, residual } from '../operations/linear.ts';
import type { Parameters } from './network.ts';
import type { Block, Family } from './transformer.ts';

/** GPT-2 as src/models/gpt.ts describes it. */
export function gpt2(config: GptConfig): Family {
  const norm = (p: Parameters, x: tf.Tensor2D, name: string) =>
    layerNorm(x, p.get(`${name}.weight`) as tf.Tensor1D, p.get(`${name}.bias`) as tf.Tensor1D);
  const project = (p: Parameters, x: tf.Tensor2D, name: string) =>
    linear(x, p.get(`${name}.weight`) as tf.Tensor2D, p.get(`${name}.bias`) as tf.Tensor1D);
  return {
    ...config,
    head: gptHead(config),
    begin(p, inputs, positions) {
      const tokens = p.get(tokenEmbedding) as tf.Tensor2D;
      const places = p.get(positionEmbedding) as tf.Tensor2D;
      const placed = positions
        ? embedAt(inputs.oneHot, tokens, places, positions)
        : embed(inputs.oneHot, tokens, places, inputs.columns);
      const x = inputs.slots ? residual(placed, lookUp(inputs.slots, p.get(slotEmbedding) as tf.Tensor2D)) : placed;
      const block: Block = (layer, x, attention, drop) => {
        const h = layerName(layer);
        const attended = attention(project(p, norm(p, x, `${h}.ln_1`), `${h}.attn.c_attn`), layer);
        const middle = residual(x, drop(project(p, attended, `${h}.attn.c_proj`)));
        const wide = gelu(project(p, norm(p, middle, `${h}.ln_2`), `${h}.mlp.c_fc`));
        return residual(middle, drop(project(p, wide, `${h}.mlp.c_proj`)));
      };
      return { x, block };
    },
    finalNorm: (p, x) => norm(p, x, finalNorm),
  };
}
