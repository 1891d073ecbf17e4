import type { ConfigOf, ModelKind } from './kind.ts';
import { layerNormShapes, matrix, type ParameterShape } from './parameters.ts';

/**
 * The Reformer (Kitaev et al. 2020, "Reformer: The Efficient Transformer") as the chess testbed (Toshniwal et al. 2022,
 * table 11) uses it: layers of two kinds. A local layer cuts the row into chunks, and a token sees its own chunk and the
 * one before. An LSH layer puts tokens with like vectors into buckets by random rotations, sorts them by bucket and
 * position, and cuts the sorted row into chunks; queries and keys are the same vectors. ReLU in the feed-forward, no
 * biases in attention, positions that are the sum over two axes of a grid.
 *
 * Names are those of Hugging Face's ReformerModelWithLMHead, which this is not: that has reversible layers with two
 * residual streams, a feed-forward computed in pieces and a head of its own. The first two save memory and are not
 * copied, so there is one stream, its norm is `width` wide, and the head is tied to the token embedding.
 *
 * Dropout falls on the embedding, local attention's probabilities, and what each sub-layer adds; not on LSH attention.
 *
 * Which earlier tokens an LSH layer sees depends on how the whole row falls into chunks, as in the original: not their
 * contents but the number of later tokens in lower buckets moves the borders. So the logits of a prefix read alone
 * differ a little from those of the same prefix inside a longer row.
 */
export type ReformerConfig = ConfigOf<'reformer'>;

export type ReformerLayer = 'local' | 'lsh';

export const reformerTokenEmbedding = 'reformer.embeddings.word_embeddings.weight';
export const reformerSlotEmbedding = 'reformer.embeddings.slot_embeddings.weight';
/** [context, d] where positions are learned plainly. */
export const reformerPositions = 'reformer.embeddings.position_embeddings.embedding.weight';
/** [rows, axialWidth] and [columns, d - axialWidth]. */
export const reformerAxes = [0, 1].map((axis) => `reformer.embeddings.position_embeddings.weights.${axis}`);
export const reformerFinalNorm = 'reformer.encoder.layer_norm';
export const reformerLayerName = (layer: number): string => `reformer.encoder.layers.${layer}`;
/** [heads, head width, rounds * buckets / 2] */
export const rotationsName = (layer: number): string =>
  `${reformerLayerName(layer)}.attention.self_attention.rotations`;

/** The kind of each layer. */
export function reformerLayers({ layers, pattern }: Pick<ReformerConfig, 'layers' | 'pattern'>): ReformerLayer[] {
  const kinds = pattern.split(',') as ReformerLayer[];
  return Array.from({ length: layers }, (_, layer) => kinds[layer % kinds.length]);
}

/** The grid of axial positions and how the width is shared: 14 by 25 and 256 + 512 for the paper's 350 tokens of 768. */
export function axialShape(config: Pick<ReformerConfig, 'context' | 'width' | 'axialRows' | 'axialWidth'>) {
  const rows = config.axialRows ?? gridRows(config.context);
  const first = config.axialWidth ?? Math.max(1, Math.round(config.width / 3));
  return { rows, columns: Math.ceil(config.context / rows), first, second: config.width - first };
}

/** The greatest divisor up to the square root; the root itself where that would be less than half of it. */
function gridRows(context: number): number {
  const root = Math.floor(Math.sqrt(context));
  for (let rows = root; rows > root / 2; rows--) if (context % rows === 0) return rows;
  return root;
}

function shapes(config: ReformerConfig): ParameterShape[] {
  const { width: d, heads, rounds, buckets, context } = config;
  const zeroOut = config.start === 'zero-out';
  const usual = { deviation: 0.02 };
  const inside = (inputs: number) => (zeroOut ? { deviation: 1 / Math.sqrt(3 * inputs) } : usual);
  const embedding = zeroOut ? { deviation: 0.1 } : usual;
  const outward: ParameterShape['start'] = zeroOut ? 'zeros' : usual;
  const parameter = (name: string, shape: number[], start: ParameterShape['start']): ParameterShape => {
    return { name, shape, start };
  };
  const linear = (name: string, inputs: number, outputs: number, start: ParameterShape['start']) =>
    parameter(`${name}.weight`, [outputs, inputs], start);
  const bias = (name: string, outputs: number) => parameter(`${name}.bias`, [outputs], 'zeros');
  const norm = (name: string) => layerNormShapes(name, d);
  const list = [parameter(reformerTokenEmbedding, [config.vocabulary, d], embedding)];
  if (config.slots) list.push(parameter(reformerSlotEmbedding, [config.slots.count, d], embedding));
  if (config.positions === 'learned')
    list.push(parameter(reformerPositions, [context, d], zeroOut ? { sinusoids: 0.1 } : embedding));
  else {
    const { rows, columns, first, second } = axialShape(config);
    list.push(parameter(reformerAxes[0], [rows, first], embedding));
    list.push(parameter(reformerAxes[1], [columns, second], embedding));
  }
  reformerLayers(config).forEach((kind, layer) => {
    const l = reformerLayerName(layer);
    const inputs = kind === 'lsh' ? ['query_key', 'value'] : ['query', 'key', 'value'];
    list.push(...norm(`${l}.attention.layer_norm`));
    for (const name of inputs) list.push(linear(`${l}.attention.self_attention.${name}`, d, d, inside(d)));
    if (kind === 'lsh' && buckets > 1) {
      const shape = [heads, d / heads, (rounds * buckets) / 2];
      list.push({ name: rotationsName(layer), shape, start: { deviation: 1 }, fixed: true });
    }
    list.push(
      linear(`${l}.attention.output.dense`, d, d, outward),
      ...norm(`${l}.feed_forward.layer_norm`),
      linear(`${l}.feed_forward.dense.dense`, d, 4 * d, inside(d)),
      bias(`${l}.feed_forward.dense.dense`, 4 * d),
      linear(`${l}.feed_forward.output.dense`, 4 * d, d, outward),
      bias(`${l}.feed_forward.output.dense`, d),
    );
  });
  list.push(...norm(reformerFinalNorm));
  return list;
}

export const reformer: ModelKind<ReformerConfig, false> = {
  embedding: reformerTokenEmbedding,
  compiled: false,
  shapes,
  matrices: (config) =>
    shapes(config)
      .filter(({ name, shape, fixed }) => shape.length === 2 && !fixed && name.startsWith('reformer.encoder'))
      .map(({ name, shape: [outputs, inputs] }) => matrix(name, outputs, inputs)),
  /** As gptTrainingFlops; a token meets two chunks, in every round of an LSH layer. */
  flops(config, columns) {
    const { width: d, chunk, rounds, buckets } = config;
    const seen = Math.min(columns, 2 * chunk);
    const hashing = (rounds * buckets * d) / 2 / 3; // forward only, where the rest counts three times
    let products = config.vocabulary * d;
    for (const kind of reformerLayers(config))
      products += kind === 'lsh' ? 11 * d * d + 2 * rounds * seen * d + hashing : 12 * d * d + 2 * seen * d;
    return 6 * products;
  },
  /** As gptActivations; probabilities reach over two chunks, and an LSH layer has them for each round. */
  activations(config, rows, columns) {
    const { width, heads, chunk, rounds, vocabulary, dropout } = config;
    const tokens = rows * columns;
    const scores = heads * tokens * Math.min(columns, 2 * chunk);
    const own = (dropout > 0 ? 42 : 38) * tokens * width;
    let kept = 0;
    let most = 0;
    for (const kind of reformerLayers(config)) {
      kept += own + (kind === 'lsh' ? rounds * scores : dropout > 0 ? 2 * scores : scores);
      most = Math.max(
        most,
        kind === 'lsh' ? rounds * (3 * scores + 2 * tokens * width) - 10 * tokens * width : 3 * scores,
      );
    }
    return kept + most + tokens * (5 * vocabulary + 4 * width);
  },
};
