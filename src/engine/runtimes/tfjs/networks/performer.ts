import type * as tf from '@tensorflow/tfjs-core';
import { seededRandom } from '../../../../base/random.ts';
import { orthogonalRows } from '../../../../models/orthogonal-rows.ts';
import { featureCount, featuresName, skeletonOf, type PerformerConfig } from '../../../../models/performer.ts';
import { favorAttention } from '../operations/attention/favor-attention.ts';
import { gpt2 } from './gpt2.ts';
import { beside, headGroup } from '../operations/attention/head-groups.ts';
import { localAttention } from '../operations/attention/local-attention.ts';
import type { Network } from './network.ts';
import { wholeRowsNetwork } from './whole-rows.ts';
import { Dropout } from '../operations/dropout.ts';

const UNDROPPED = new Dropout(0, 0);

/** The Performer as src/models/performer.ts describes it. */
export function performer(config: PerformerConfig): Network {
  const { layers, width, heads, localHeads, localWindow, kernel, redraw } = config;
  const family = gpt2(skeletonOf(config));
  const global = heads - localHeads;

  const network = wholeRowsNetwork({
    layers,
    context: config.context,
    head: family.head,
    begin: (p, inputs) => family.begin(p, inputs, null),
    finalNorm: (p, x) => family.finalNorm(p, x),
    attention(p, qkv, layer, { rows }) {
      const local = (x: tf.Tensor2D) => localAttention(x, rows, localHeads, localWindow, UNDROPPED);
      if (global === 0) return local(qkv);
      const byFeatures = (x: tf.Tensor2D) =>
        favorAttention(x, rows, global, p.get(featuresName(layer)) as tf.Tensor2D, kernel);
      if (localHeads === 0) return byFeatures(qkv);
      return beside(byFeatures(headGroup(qkv, heads, 0, global)), local(headGroup(qkv, heads, global, localHeads)));
    },
  });
  return {
    ...network,
    /** Fresh features after every `redraw` steps, from a stream of the step's own seed. */
    redrawn(steps, seed) {
      if (redraw === 0 || steps === 0 || steps % redraw !== 0 || global === 0) return [];
      return Array.from({ length: layers }, (_, layer) => {
        const random = seededRandom('features', seed, layer);
        return [featuresName(layer), orthogonalRows(featureCount(config), width / heads, random)] as const;
      });
    },
  };
}
