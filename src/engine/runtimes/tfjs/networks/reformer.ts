import type * as tf from '@tensorflow/tfjs-core';
import {
  reformerAxes,
  reformerFinalNorm,
  reformerLayerName,
  reformerLayers,
  reformerPositions,
  reformerSlotEmbedding,
  reformerTokenEmbedding,
  rotationsName,
  type ReformerConfig,
} from '../../../../models/reformer.ts';
import { axialPositions } from '../operations/axial-positions.ts';
import { embed, lookUp } from '../operations/embedding.ts';
import { layerNorm } from '../operations/layer-norm.ts';
import { addBias, linearTransposed, residual } from '../operations/linear.ts';
import { localAttention } from '../operations/attention/local-attention.ts';
import { lshAttention } from '../operations/attention/lsh-attention.ts';
import type { Network, Parameters } from './network.ts';
import { relu } from '../operations/relu.ts';
import type { Block } from './transformer.ts';
import { wholeRowsNetwork } from './whole-rows.ts';

/** The Reformer as src/models/reformer.ts describes it. */
export function reformer(config: ReformerConfig): Network {
  const { layers, heads, chunk, buckets, rounds, context, positions } = config;
  const kinds = reformerLayers(config);
  const matrix = (p: Parameters, name: string) => p.get(`${name}.weight`) as tf.Tensor2D;
  const bias = (p: Parameters, name: string) => p.get(`${name}.bias`) as tf.Tensor1D;
  const norm = (p: Parameters, x: tf.Tensor2D, name: string) =>
    layerNorm(x, p.get(`${name}.weight`) as tf.Tensor1D, bias(p, name));
  const projections = { local: ['query', 'key', 'value'], lsh: ['query_key', 'value'] };

  const places = (p: Parameters, columns: number): tf.Tensor2D =>
    positions === 'learned'
      ? (p.get(reformerPositions) as tf.Tensor2D)
      : axialPositions(p.get(reformerAxes[0]) as tf.Tensor2D, p.get(reformerAxes[1]) as tf.Tensor2D, columns);

  return wholeRowsNetwork({
    layers,
    context,
    head: reformerTokenEmbedding,
    begin(p, inputs) {
      const tokens = p.get(reformerTokenEmbedding) as tf.Tensor2D;
      const placed = embed(inputs.oneHot, tokens, places(p, inputs.columns), inputs.columns);
      const x = inputs.slots
        ? residual(placed, lookUp(inputs.slots, p.get(reformerSlotEmbedding) as tf.Tensor2D))
        : placed;
      const block: Block = (layer, x, attention, drop) => {
        const l = reformerLayerName(layer);
        const weights = projections[kinds[layer]].map((name) => matrix(p, `${l}.attention.self_attention.${name}`));
        const attended = attention(linearTransposed(norm(p, x, `${l}.attention.layer_norm`), weights), layer);
        const middle = residual(x, drop(linearTransposed(attended, [matrix(p, `${l}.attention.output.dense`)])));
        const dense = (y: tf.Tensor2D, name: string) =>
          addBias(linearTransposed(y, [matrix(p, `${l}.feed_forward.${name}`)]), bias(p, `${l}.feed_forward.${name}`));
        const wide = relu(dense(norm(p, middle, `${l}.feed_forward.layer_norm`), 'dense.dense'));
        return residual(middle, drop(dense(wide, 'output.dense')));
      };
      return { x, block };
    },
    attention(p, projected, layer, { rows, lengths }, dropout) {
      if (kinds[layer] === 'local') return localAttention(projected, rows, heads, chunk, dropout);
      const rotations = (p.get(rotationsName(layer)) as tf.Tensor3D | undefined) ?? null;
      return lshAttention(projected, heads, lengths, { chunk, buckets, rounds, rotations });
    },
    finalNorm: (p, x) => norm(p, x, reformerFinalNorm),
  });
}
