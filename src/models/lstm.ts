import type { ConfigOf, ModelKind } from './kind.ts';
import { matrix, type MatrixBlock, type ParameterShape } from './parameters.ts';

/**
 * An LSTM language model (Hochreiter and Schmidhuber 1997) as the chess testbed's: embedding, dropout, nn.LSTM with
 * dropout between its layers, and a linear head of its own. Names, layouts and the order of the gates (i, f, g, o) are
 * PyTorch's. Dropout falls on the embedding and on the output of every layer but the last.
 */
export type LstmConfig = ConfigOf<'lstm'>;

export const lstmTokenEmbedding = 'embedding.weight';
export const lstmSlotEmbedding = 'slot_embedding.weight';
export const lstmHead = 'head';
/** `lstm.weight_ih_l0`, `lstm.bias_hh_l1`, as nn.LSTM names them. */
export const lstmName = (what: 'weight_ih' | 'weight_hh' | 'bias_ih' | 'bias_hh', layer: number): string =>
  `lstm.${what}_l${layer}`;

export function lstmShapes(config: LstmConfig): ParameterShape[] {
  const { width: d, vocabulary } = config;
  const start = { deviation: 1 / Math.sqrt(3 * d) };
  const list: ParameterShape[] = [{ name: lstmTokenEmbedding, shape: [vocabulary, d], start: { deviation: 0.1 } }];
  if (config.slots) list.push({ name: lstmSlotEmbedding, shape: [config.slots.count, d], start: { deviation: 0.1 } });
  for (let layer = 0; layer < config.layers; layer++)
    list.push(
      { name: lstmName('weight_ih', layer), shape: [4 * d, d], start },
      { name: lstmName('weight_hh', layer), shape: [4 * d, d], start },
      { name: lstmName('bias_ih', layer), shape: [4 * d], start: 'zeros' },
      { name: lstmName('bias_hh', layer), shape: [4 * d], start: 'zeros' },
    );
  list.push(
    { name: `${lstmHead}.weight`, shape: [vocabulary, d], start },
    { name: `${lstmHead}.bias`, shape: [vocabulary], start: 'zeros' },
  );
  return list;
}

/** The matrices of the recurrence, for Muon; the four gates apart. */
function lstmMatrices(config: LstmConfig): MatrixBlock[] {
  const d = config.width;
  const list: MatrixBlock[] = [];
  for (let layer = 0; layer < config.layers; layer++)
    for (const what of ['weight_ih', 'weight_hh'] as const)
      for (let gate = 0; gate < 4; gate++) list.push(matrix(lstmName(what, layer), d, d, gate * d * d));
  return list;
}

export const lstm: ModelKind<LstmConfig, true> = {
  embedding: lstmTokenEmbedding,
  compiled: true,
  shapes: lstmShapes,
  matrices: lstmMatrices,
  /** 6 a weight that is multiplied, the head included. */
  flops: ({ width: d, layers, vocabulary }) => 6 * (layers * 8 * d * d + vocabulary * d),
  /** A layer keeps its gates, their input, states and cells, and takes as much again to differentiate. */
  activations: ({ layers, width, vocabulary }, rows, columns) =>
    rows * columns * (layers * 18 * width + 5 * vocabulary + 4 * width),
};
