import { Message } from './protobuf.ts';

/**
 * The parts of onnx.proto3 (onnx 1.23, IR version 8) that a graph of ours has; numbers are its field numbers. Opset 17 is
 * the newest that onnxruntime-web has run since 1.14.
 */
const IR_VERSION = 8;
const OPSET = 17;

/** Who wrote a file, as it says. */
export const PRODUCER = 'Blindfold';

/** Element types by their numbers in TensorProto.DataType. */
export const ELEMENT = { float: 1, uint8: 2, int8: 3, int64: 7, bool: 9, float16: 10 } as const;
export type ElementType = keyof typeof ELEMENT;

export interface Tensor {
  name: string;
  type: ElementType;
  shape: readonly number[];
  /** Little-endian. */
  data: Uint8Array;
}

/** An input or output of a graph; a side that is no number is named. */
export interface Value {
  name: string;
  type: ElementType;
  shape: readonly (number | string)[];
}

export type Attributes = Record<string, number | readonly number[] | { float: number } | { graph: Graph }>;

export interface Node {
  type: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: Attributes;
}

export interface Graph {
  name: string;
  nodes: readonly Node[];
  initializers: readonly Tensor[];
  inputs: readonly Value[];
  outputs: readonly Value[];
}

/** A ModelProto; `notes` are its metadata. */
export function modelProto(graph: Graph, notes: Readonly<Record<string, string>>): Message {
  const model = new Message()
    .int(1, IR_VERSION)
    .text(2, PRODUCER)
    .message(7, graphProto(graph))
    .message(8, new Message().text(1, '').int(2, OPSET));
  for (const [key, value] of Object.entries(notes)) model.message(14, new Message().text(1, key).text(2, value));
  return model;
}

function graphProto({ name, nodes, initializers, inputs, outputs }: Graph): Message {
  const graph = new Message();
  for (const node of nodes) graph.message(1, nodeProto(node));
  graph.text(2, name);
  for (const tensor of initializers) graph.message(5, tensorProto(tensor));
  for (const input of inputs) graph.message(11, valueInfo(input));
  for (const output of outputs) graph.message(12, valueInfo(output));
  return graph;
}

function nodeProto({ type, inputs, outputs, attributes }: Node): Message {
  const node = new Message();
  for (const input of inputs) node.text(1, input);
  for (const output of outputs) node.text(2, output);
  node.text(3, `${type}:${outputs[0]}`).text(4, type);
  for (const [name, value] of Object.entries(attributes)) node.message(5, attributeProto(name, value));
  return node;
}

/** Field 20 is the type: FLOAT 1, INT 2, GRAPH 5, INTS 7. */
function attributeProto(name: string, value: Attributes[string]): Message {
  const attribute = new Message().text(1, name);
  if (typeof value === 'number') return attribute.int(3, value).int(20, 2);
  if ('float' in value) return attribute.float(2, value.float).int(20, 1);
  if ('graph' in value) return attribute.message(6, graphProto(value.graph)).int(20, 5);
  return attribute.ints(8, value).int(20, 7);
}

function tensorProto({ name, type, shape, data }: Tensor): Message {
  return new Message().ints(1, shape).int(2, ELEMENT[type]).text(8, name).bytes(9, data);
}

function valueInfo({ name, type, shape }: Value): Message {
  const sides = new Message();
  for (const side of shape)
    sides.message(1, typeof side === 'number' ? new Message().int(1, side) : new Message().text(2, side));
  const tensorType = new Message().int(1, ELEMENT[type]).message(2, sides);
  return new Message().text(1, name).message(2, new Message().message(1, tensorType));
}
