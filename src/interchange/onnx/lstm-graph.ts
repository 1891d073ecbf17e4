import { lstmHead, lstmName, lstmSlotEmbedding, lstmTokenEmbedding, type LstmConfig } from '../../models/lstm.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { embedded } from './embedded.ts';
import type { GraphBuilder } from './graph-builder.ts';

const BATCH = 'batch_size';
const TOKENS = 'sequence_length';
/** The name of a layer's biases, before its number. */
const BIAS = 'lstm.bias_l';

/**
 * The LSTM as src/models/lstm.ts describes it: input_ids, and the states h_0 and c_0 [layers, batch, width]
 * that go out as h_n and c_n, named as nn.LSTM's documentation has them. The operator's gates stand in the order i, o, f,
 * c; the weights of a layer are stored in that order under PyTorch's names, the two biases one behind the other.
 */
export function lstmGraph(b: GraphBuilder, { layers, width, slots }: LstmConfig): void {
  const states = [layers, BATCH, width];
  const ids = b.input('input_ids', 'int64', [BATCH, TOKENS]);
  const [hidden, cells] = ['h_0', 'c_0'].map((name) => b.input(name, 'float', states));
  const ends: string[][] = [[], []];
  const rows = embedded(b, ids, { tokens: lstmTokenEmbedding, slots: lstmSlotEmbedding }, slots);
  let x = b.transpose(rows, [1, 0, 2]);
  for (let layer = 0; layer < layers; layer++) {
    const weights = (['weight_ih', 'weight_hh'] as const).map((what) => gates(b, lstmName(what, layer), width));
    const biases = (['bias_ih', 'bias_hh'] as const).map((what) => b.parameters.get(lstmName(what, layer))!.data);
    const bias = new Float32Array(8 * width);
    for (const [i, data] of biases.entries()) bias.set(reordered(data, OPERATORS_ORDER), 4 * i * width);
    const inputs = [x, ...weights, b.store(`${BIAS}${layer}`, 'float', [1, 8 * width], bias), ''];
    const before = [hidden, cells].map((state) => b.slice(state, 0, layer, layer + 1));
    const [rows, ...after] = b.several('LSTM', [...inputs, ...before], 3, { hidden_size: width });
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
  return b.floats(name, [1, 4 * width, width], reordered(b.parameters.get(name)!.data, OPERATORS_ORDER), 1);
}

/** What lstmGraph stores as PyTorch has it again; of other kinds everything as it is. */
export function pytorchTensors(stored: NamedArrays): NamedArrays {
  const tensors: NamedArrays = new Map();
  for (const [name, tensor] of stored) {
    const { shape, data } = tensor;
    const part = data.length / (name.startsWith(BIAS) ? 8 : 4);
    const isGates = name.startsWith('lstm.') && shape[0] === 1 && Number.isInteger(part);
    if (!isGates) tensors.set(name, tensor);
    else if (!name.startsWith(BIAS))
      tensors.set(name, { shape: shape.slice(1), data: reordered(data, PYTORCHS_ORDER) });
    else
      for (const [i, what] of (['bias_ih', 'bias_hh'] as const).entries()) {
        const own = data.subarray(4 * i * part, 4 * (i + 1) * part);
        const layer = Number(name.slice(BIAS.length));
        tensors.set(lstmName(what, layer), { shape: [own.length], data: reordered(own, PYTORCHS_ORDER) });
      }
  }
  return tensors;
}

/** Where the operator's gates, i, o, f, c, stand in PyTorch's order, i, f, g, o, and the other way round. */
const OPERATORS_ORDER = [0, 3, 1, 2];
const PYTORCHS_ORDER = [0, 2, 3, 1];

/** Four equal parts in another order. */
function reordered(data: Float32Array, order: readonly number[]): Float32Array {
  const size = data.length / 4;
  const whole = new Float32Array(data.length);
  for (const [at, part] of order.entries()) whole.set(data.subarray(part * size, (part + 1) * size), at * size);
  return whole;
}
