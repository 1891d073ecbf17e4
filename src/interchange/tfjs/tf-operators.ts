import { ELEMENT, type Node } from '../onnx/model-proto.ts';
import { text, whole, wholes, type AttrValue, type DataType } from './graph-def.ts';
import type { TfScope } from './tf-scope.ts';

/** Writes an operator of ONNX as nodes of TensorFlow, and gives their outputs. */
type Operator = (g: TfScope, inputs: readonly string[], node: Node) => string | readonly string[];

/** Operators whose node is one of TensorFlow's with the same inputs. */
const same = (op: string, attr: Record<string, AttrValue> = {}): Operator => {
  return (g, inputs) => g.op(op, inputs, attr);
};

export const integer = ({ attributes }: Node, name: string): number => attributes[name] as number;
export const integers = ({ attributes }: Node, name: string): readonly number[] =>
  attributes[name] as readonly number[];

/** A constant list among the inputs of a node. */
function listOf(g: TfScope, node: Node, input: number): number[] {
  const { type, data } = g.shared.initializers.get(node.inputs[input])!;
  if (type !== 'int64') throw new Error(`${node.type}: input ${input} is no list`);
  return Array.from(new BigInt64Array(data.buffer, data.byteOffset, data.byteLength / 8), Number);
}

const TYPES: Record<number, DataType> = { [ELEMENT.float]: 'DT_FLOAT', [ELEMENT.bool]: 'DT_BOOL' };

/**
 * The operators that the graphs of this folder's neighbours in onnx are made of, Scan and LSTM aside (tf-loop.ts), as far
 * as those graphs use them.
 */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  Add: same('AddV2'),
  And: same('LogicalAnd'),
  Cos: same('Cos'),
  Div: same('RealDiv'),
  Greater: same('Greater'),
  Identity: same('Identity'),
  LessOrEqual: same('LessEqual'),
  Mul: same('Mul'),
  Range: same('Range', { Tidx: { type: 'DT_INT32' } }),
  Shape: same('Shape', { out_type: { type: 'DT_INT32' } }),
  Sigmoid: same('Sigmoid'),
  Sin: same('Sin'),
  Softmax: same('Softmax'),
  Sqrt: same('Sqrt'),
  Sub: same('Sub'),
  Tanh: same('Tanh'),
  Where: same('SelectV2'),

  Cast: (g, [x], node) => g.op('Cast', [x], { DstT: { type: TYPES[integer(node, 'to')] } }),
  Concat: (g, inputs, node) =>
    g.op('ConcatV2', [...inputs, g.ints(integer(node, 'axis'))], { N: whole(inputs.length) }),
  Gather: (g, [x, at]) => g.op('GatherV2', [x, at, g.ints(0)]),
  MatMul: (g, [a, b], { attributes: { transB } }) =>
    g.op('BatchMatMulV2', [a, b], { adj_x: { b: false }, adj_y: { b: transB === 1 } }),
  ReduceMean: (g, [x], node) => g.op('Mean', [x, g.ints(integers(node, 'axes'))], { keep_dims: { b: true } }),
  Split: (g, [x], node) => {
    const parts = node.outputs.length;
    const first = g.op('Split', [g.ints(integer(node, 'axis')), x], { num_split: whole(parts) });
    return node.outputs.map((_, i) => (i === 0 ? first : `${first}:${i}`));
  },
  Squeeze: (g, [x], node) => g.op('Squeeze', [x], { squeeze_dims: wholes(listOf(g, node, 1)) }),
  Transpose: (g, [x], node) => g.op('Transpose', [x, g.ints(integers(node, 'perm'))]),
  Unsqueeze: (g, [x], node) => listOf(g, node, 1).reduce((y, axis) => g.op('ExpandDims', [y, g.ints(axis)]), x),

  /** Zeros stand at the front and keep the sides of x. */
  Reshape(g, [x], node) {
    const sides = listOf(g, node, 1);
    const kept = sides.lastIndexOf(0) + 1;
    if (kept === 0) return g.op('Reshape', [x, g.ints(sides)]);
    const front = strided(g, g.op('Shape', [x]), 0, [g.ints([0]), g.ints([kept]), g.ints([1])]);
    const shape = g.op('ConcatV2', [front, g.ints(sides.slice(kept)), g.ints(0)], { N: whole(2) });
    return g.op('Reshape', [x, shape]);
  },

  Slice(g, [x, from, to, , step], node) {
    return strided(g, x, listOf(g, node, 3)[0], [from, to, step ?? g.ints([1])]);
  },

  LayerNormalization(g, [x, gain, bias], { attributes }) {
    const mean = (y: string) => g.op('Mean', [y, g.ints([-1])], { keep_dims: { b: true } });
    const centred = g.op('Sub', [x, mean(x)]);
    const variance = mean(g.op('Square', [centred]));
    const { float } = attributes.epsilon as { float: number };
    const scale = g.op('Rsqrt', [g.op('AddV2', [variance, g.number(float)])]);
    return g.op('AddV2', [g.op('Mul', [g.op('Mul', [centred, scale]), gain]), bias]);
  },

  /** Of each channel by itself: x [batch, channels, time], the kernel [channels, 1, taps]. */
  Conv(g, [x, kernel]) {
    const rows = g.op('ExpandDims', [g.op('Transpose', [x, g.ints([0, 2, 1])]), g.ints(1)]);
    const taps = g.op('ExpandDims', [g.op('Transpose', [kernel, g.ints([2, 0, 1])]), g.ints(0)]);
    const one = wholes([1, 1, 1, 1]);
    const out = g.op('DepthwiseConv2dNative', [rows, taps], {
      ...{ strides: one, dilations: one },
      ...{ padding: text('VALID'), data_format: text('NHWC') },
    });
    return g.op('Transpose', [g.op('Squeeze', [out], { squeeze_dims: wholes([1]) }), g.ints([0, 2, 1])]);
  },
};

/** A slice on one axis, from lists of one number each. */
function strided(g: TfScope, x: string, axis: number, [from, to, step]: readonly string[]): string {
  const padded = (given: string, before: number) =>
    axis === 0
      ? given
      : g.op('ConcatV2', [g.ints(new Array<number>(axis).fill(before)), given, g.ints(0)], { N: whole(2) });
  const before = whole(2 ** axis - 1);
  return g.op('StridedSlice', [x, padded(from, 0), padded(to, 0), padded(step, 1)], {
    ...{ begin_mask: before, end_mask: before },
    ...{ ellipsis_mask: whole(0), new_axis_mask: whole(0), shrink_axis_mask: whole(0) },
  });
}
