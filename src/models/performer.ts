import { gptMatrices, gptShapes, layerName, tokenEmbedding, type GptConfig } from './gpt.ts';
import type { ConfigOf, ModelKind } from './kind.ts';
import type { ParameterShape } from './parameters.ts';

/**
 * The Performer (Choromanski et al. 2021, "Rethinking Attention with Performers") as the chess testbed (Toshniwal et
 * al. 2022, table 11) uses it: a transformer whose attention is not a softmax over all pairs of tokens but a product of
 * random features of queries and keys (FAVOR+), summed from the left, so that its cost grows with the length of a row
 * and not with its square. Some of the heads may be local instead.
 *
 * All else is GPT-2's and has its names: layer norm before each sub-layer, learned positions, GELU, a tied head. The
 * authors' library (performer_pytorch) has an untied head, an exact GELU, relative positions in the local heads and
 * reversible layers with a feed-forward in pieces; the last two only save memory, and none is copied.
 * Dropout falls on the embedding and on what each sub-layer adds, never inside attention.
 */
export type PerformerConfig = ConfigOf<'performer'>;

export type FavorKernel = PerformerConfig['kernel'];

/** [features, head width]: the directions onto which queries and keys are projected, one set for a layer's heads. */
export const featuresName = (layer: number): string => `${layerName(layer)}.attn.features`;

/** Random features of a head. */
export function featureCount({ features, width, heads }: PerformerConfig): number {
  const head = width / heads;
  return features ?? Math.max(1, Math.floor(head * Math.log(head)));
}

/** The same skeleton as a GPT-2. */
export function skeletonOf(config: PerformerConfig): GptConfig {
  const { layers, width, heads, context, dropout, vocabulary, slots, start } = config;
  return { kind: 'gpt2', layers, width, heads, context, dropout, vocabulary, window: null, slots, start };
}

function shapes(config: PerformerConfig): ParameterShape[] {
  const list = gptShapes(skeletonOf(config));
  if (config.localHeads === config.heads) return list;
  const shape = [featureCount(config), config.width / config.heads];
  for (let layer = 0; layer < config.layers; layer++)
    list.push({ name: featuresName(layer), shape, start: 'orthogonal', fixed: true });
  return list;
}

/** Multiply-adds of attention for a token: features, their sums with the values, and the chunk next to it. */
function attentionProducts(config: PerformerConfig, columns: number): number {
  const { width, heads, localHeads, localWindow } = config;
  const head = width / heads;
  const count = featureCount(config);
  const near = Math.min(columns, FAVOR_CHUNK);
  const byFeatures = 4 * count * head + near * (count + head);
  const local = 2 * Math.min(columns, 2 * localWindow) * head;
  return (heads - localHeads) * byFeatures + localHeads * local;
}

/** Tokens within which features meet pair by pair; what lies further left is one running sum (src/engine/runtimes/tfjs). */
export const FAVOR_CHUNK = 64;

export const performer: ModelKind<PerformerConfig, false> = {
  embedding: tokenEmbedding,
  compiled: false,
  shapes,
  matrices: (config) => gptMatrices(skeletonOf(config)),
  flops: (config, columns) =>
    6 * (config.layers * 12 * config.width ** 2 + config.vocabulary * config.width) +
    6 * config.layers * attentionProducts(config, columns),
  /** As gptActivations, with features and running sums where it has probabilities. */
  activations(config, rows, columns) {
    const { layers, width, heads, localHeads, localWindow, vocabulary, dropout } = config;
    const tokens = rows * columns;
    const count = featureCount(config);
    const favor = heads - localHeads;
    const sums = favor * rows * Math.ceil(columns / FAVOR_CHUNK) * count * (width / heads + 1);
    const features = favor * tokens * count;
    const local = localHeads * tokens * Math.min(columns, 2 * localWindow);
    const perLayer = (dropout > 0 ? 43 : 39) * tokens * width + 2 * features + sums + local;
    const inLayer = 4 * features + 3 * sums + 3 * local + favor * tokens * Math.min(columns, FAVOR_CHUNK) * 2;
    return layers * perLayer + inLayer + tokens * (5 * vocabulary + 4 * width);
  },
};
