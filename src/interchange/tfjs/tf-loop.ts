import type { Graph, Node } from '../onnx/model-proto.ts';
import { typeOf, whole, type DataType } from './graph-def.ts';
import { integer, integers } from './tf-operators.ts';
import { TfScope } from './tf-scope.ts';

/** Writes the nodes of a graph into a scope (translate.ts). */
export type Translate = (g: TfScope, graph: Graph) => void;

interface Loop {
  body: Graph;
  /** As they are before the first step. */
  states: readonly string[];
  sequences: readonly { values: string; axis: number }[];
  /** The axis along which each output of a step is laid. */
  axes: readonly number[];
  translate: Translate;
}

/** ONNX's Scan: its body once for each place on an axis of its sequences. */
export function scan(g: TfScope, inputs: readonly string[], node: Node, translate: Translate): string[] {
  const { graph: body } = node.attributes.body as { graph: Graph };
  const first = inputs.length - integer(node, 'num_scan_inputs');
  const inputAxes = integers(node, 'scan_input_axes');
  return loop(g, {
    body,
    states: inputs.slice(0, first),
    sequences: inputs.slice(first).map((values, i) => ({ values, axis: inputAxes[i] })),
    axes: integers(node, 'scan_output_axes'),
    translate,
  });
}

/** ONNX's LSTM of one direction: rows [time, batch, inputs] to [time, 1, batch, width], and both states after them. */
export function lstm(
  g: TfScope,
  [x, weight, , bias, , hidden, cell]: readonly string[],
  node: Node,
  translate: Translate,
): string[] {
  const biases = g.op('Split', [g.ints(-1), bias], { num_split: whole(2) });
  const product = g.op('BatchMatMulV2', [x, weight], { adj_x: { b: false }, adj_y: { b: true } });
  const gates = g.op('AddV2', [product, g.op('AddV2', [biases, `${biases}:1`])]);
  const [h, c, rows] = loop(g, {
    body: lstmStep(node.inputs[2], integer(node, 'hidden_size')),
    states: [hidden, cell],
    sequences: [{ values: gates, axis: 0 }],
    axes: [0],
    translate,
  });
  return [rows, h, c];
}

/** One row; the gates stand in the order i, o, f, c. */
function lstmStep(recurrent: string, width: number): Graph {
  const value = (name: string) => ({ name, type: 'float', shape: [1, 'batch_size', width] }) as const;
  const node = (type: string, inputs: string[], outputs: string[], attributes: Node['attributes'] = {}) => ({
    ...{ type, inputs, outputs, attributes },
  });
  const gates = ['i', 'o', 'f', 'g'];
  return {
    name: 'lstm',
    nodes: [
      node('MatMul', ['h', recurrent], ['recurrent'], { transB: 1 }),
      node('Add', ['recurrent', 'row'], ['all']),
      node('Split', ['all'], gates, { axis: -1 }),
      ...['i', 'o', 'f'].map((gate) => node('Sigmoid', [gate], [`${gate}_open`])),
      node('Tanh', ['g'], ['new']),
      node('Mul', ['f_open', 'c'], ['held']),
      node('Mul', ['i_open', 'new'], ['added']),
      node('Add', ['held', 'added'], ['c_next']),
      node('Tanh', ['c_next'], ['shown']),
      node('Mul', ['o_open', 'shown'], ['h_next']),
    ],
    initializers: [],
    inputs: ['h', 'c', 'row'].map(value),
    outputs: ['h_next', 'c_next', 'h_next'].map(value),
  };
}

/**
 * A StatelessWhile over the places of the sequences. Its variables are the place, how many there are, the states, the
 * sequences, and the rows so far of each output. TensorFlow would lay the rows in a TensorList; TF.js 4.22 disposes what a
 * function puts in one.
 */
function loop(g: TfScope, { body, states, sequences, axes, translate }: Loop): string[] {
  const { functions } = g.shared;
  const name = `${body.name}_${functions.length}`;
  const count = g.op('GatherV2', [g.op('Shape', [sequences[0].values]), g.ints(sequences[0].axis), g.ints(0)]);
  const rows = body.outputs.slice(states.length);
  const names = ['at', 'count', ...body.inputs.map((input) => input.name), ...rows.map((_, i) => `rows_${i}`)];
  const types: DataType[] = ['DT_INT32', 'DT_INT32', ...[...body.inputs, ...rows].map(typeOf)];

  const going = new TfScope(g.shared);
  define(`${name}_going`, going, [going.op('Less', ['at', 'count'])], ['DT_BOOL']);

  const step = new TfScope(g.shared);
  for (const [i, { name }] of body.inputs.entries()) {
    const sequence = sequences[i - states.length];
    step.values.set(name, sequence ? step.op('GatherV2', [name, 'at', step.ints(sequence.axis)]) : name);
  }
  translate(step, body);
  const outputs = body.outputs.map(({ name }) => step.value(name)!);
  const longer = axes.map((axis, i) => {
    const row = step.op('ExpandDims', [outputs[states.length + i], step.ints(axis)]);
    return step.op('ConcatV2', [`rows_${i}`, row, step.ints(axis)], { N: whole(2) });
  });
  const unchanged = sequences.map((_, i) => body.inputs[states.length + i].name);
  const next = [step.op('AddV2', ['at', step.ints(1)]), 'count', ...outputs.slice(0, states.length)];
  const after = [...next, ...unchanged, ...longer].map((value) => step.op('Identity', [value]));
  define(`${name}_step`, step, after, types);

  const none = rows.map(({ type, shape }, i) => g.zeros(type, shape.toSpliced(axes[i], 0, 0)));
  const given = [g.ints(0), count, ...states, ...sequences.map(({ values }) => values), ...none];
  const call = (end: string) => ({ func: { name: `${name}_${end}` } });
  const ends = g.op('StatelessWhile', given, { cond: call('going'), body: call('step') });
  return [...states.map((_, i) => 2 + i), ...rows.map((_, i) => given.length - rows.length + i)].map(
    (i) => `${ends}:${i}`,
  );

  function define(name: string, { nodes }: TfScope, results: string[], resultTypes: DataType[]): void {
    const outputArg = results.map((_, i) => ({ name: `out_${i}`, type: resultTypes[i] }));
    functions.push({
      signature: { name, inputArg: names.map((name, i) => ({ name, type: types[i] })), outputArg },
      nodeDef: nodes,
      ret: Object.fromEntries(results.map((result, i) => [`out_${i}`, result])),
    });
  }
}
