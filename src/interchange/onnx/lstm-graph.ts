import { lstmHead, lstmName, lstmTokenEmbedding, type LstmConfig } from '../../models/lstm.ts';
import type { GraphBuilder } from './graph-builder.ts';

const BATCH = 'batch_size';
const TOKENS = 'sequence_length';

/**
 * The LSTM as src/models/lstm.ts describes it, without slots: input_ids, and the states h_0 and c_0 [layers, batch, width]
 * that go out as h_n and c_n, named as nn.LSTM's documentation has them. The operator's gates stand in the order i, o, f,
 * c; the weights of a layer are stored in that order under PyTorch's names, the two biases one behind the other.
 */
export function lstmGraph(b: GraphBuilder, { layers, width }: LstmConfig): void {
  const states = [layers, BATCH, width];
  const ids = b.input('input_ids', 'int64', [BATCH, TOKENS]);
  const [hidden, cells] = ['h_0', 'c_0'].map((name) => b.input(name, 'float', states));
  const ends: string[][] = [[], []];
  let x = b.transpose(b.op('Gather', [b.parameter(lstmTokenEmbedding), ids]), [1, 0, 2]);
  for (let layer = 0; layer < layers; layer++) {
    const weights = (['weight_ih', 'weight_hh'] as const).map((what) => gates(b, lstmName(what, layer), width));
    const biases = (['bias_ih', 'bias_hh'] as const).map((what) =>
      inOperatorsOrder(b.parameters.get(lstmName(what, layer))!.data),
    );
    const bias = b.store(
      `lstm.bias_l${layer}`,
      'float',
      [1, 8 * width],
      Float32Array.from(biases.flatMap((one) => [...one])),
    );
    const before = [hidden, cells].map((state) => b.slice(state, 0, layer, layer + 1));
    const [rows, ...after] = b.several('LSTM', [x, ...weights, bias, '', ...before], 3, { hidden_size: width });
    for (const [i, state] of after.entries()) ends[i].push(state);
    x = b.op('Squeeze', [rows, b.ints([1])]);
  }
  for (const [i, name] of ['h_n', 'c_n'].entries())
    b.output(b.op('Concat', ends[i], { axis: 0 }, name), 'float', states);
  const head = b.transpose(b.parameter(`${lstmHead}.weight`), [1, 0]);
  const out = b.op('MatMul', [b.transpose(x, [1, 0, 2]), head]);
  b.output(
    b.op('Add', [out, b.parameter(`${lstmHead}.bias`)], {}, 'logits'),
    ...(['float', [BATCH, TOKENS, b.parameters.get(lstmTokenEmbedding)!.shape[0]]] as const),
  );
}

/** A layer's matrix [1, 4 width, width] of the four gates. */
function gates(b: GraphBuilder, name: string, width: number): string {
  return b.floats(name, [1, 4 * width, width], inOperatorsOrder(b.parameters.get(name)!.data), 1);
}

/** Four equal parts in PyTorch's order, i, f, g, o, in the operator's: i, o, f, g. */
export function inOperatorsOrder(data: Float32Array): Float32Array {
  return reordered(data, [0, 3, 1, 2]);
}

function reordered(data: Float32Array, order: readonly number[]): Float32Array {
  const size = data.length / 4;
  const whole = new Float32Array(data.length);
  for (const [at, part] of order.entries()) whole.set(data.subarray(part * size, (part + 1) * size), at * size);
  return whole;
}
