import type { NamedArrays } from '../../models/parameters.ts';
import { halfOf } from '../float16.ts';
import type { Attributes, ElementType, Graph, Node, Tensor, Value } from './model-proto.ts';
import { quantizedColumns } from './quantized.ts';

/** How weights are stored: 32 bits; matrices in 16 bits; matrices of the layers in 8 bits and their products in whole numbers. */
export const ONNX_TYPES = ['f32', 'f16', 'q8'] as const;
export type OnnxType = (typeof ONNX_TYPES)[number];

/** Collects the nodes of a graph in the order of computation. Values are named by their node; parameters have their own names. */
export class GraphBuilder {
  readonly #nodes: Node[] = [];
  readonly #initializers = new Map<string, Tensor>();
  readonly #inputs: Value[] = [];
  readonly #outputs: Value[] = [];
  /** Of weights as they are computed with, by the names under which they are stored. */
  readonly #widened = new Map<string, string>();
  readonly #quantized = new Map<string, { x: string; scale: string; zero: string }>();
  #count = 0;

  constructor(
    readonly parameters: NamedArrays,
    readonly type: OnnxType,
  ) {}

  /** The graph so far. */
  graph(name: string): Graph {
    const initializers = [...this.#initializers.values()];
    return { name, nodes: this.#nodes, initializers, inputs: this.#inputs, outputs: this.#outputs };
  }

  input(name: string, type: ElementType, shape: Value['shape']): string {
    this.#inputs.push({ name, type, shape });
    return name;
  }

  /** Says that the value of this name is an output. */
  output(name: string, type: ElementType, shape: Value['shape']): void {
    this.#outputs.push({ name, type, shape });
  }

  /** A node with one output, which has a name of its own where it is one of the graph's. */
  op(type: string, inputs: readonly string[], attributes: Attributes = {}, name?: string): string {
    const output = name ?? this.#fresh(type);
    this.#nodes.push({ type, inputs, outputs: [output], attributes });
    return output;
  }

  /** A node with so many outputs. */
  several(type: string, inputs: readonly string[], outputs: number, attributes: Attributes = {}): string[] {
    const names = Array.from({ length: outputs }, () => this.#fresh(type));
    this.#nodes.push({ type, inputs, outputs: names, attributes });
    return names;
  }

  /** A constant number, shape []. */
  number(value: number): string {
    return this.store(`number_${value}`, 'float', [], Float32Array.of(value));
  }

  /** Constant int64, shape [length]; or [] for a single one that is not in a list. */
  ints(values: readonly number[] | number): string {
    const list = typeof values === 'number' ? [values] : values;
    const data = BigInt64Array.from(list, BigInt);
    return typeof values === 'number'
      ? this.store(`integer_${values}`, 'int64', [], data)
      : this.store(`integers_${values.join('_')}`, 'int64', [list.length], data);
  }

  /** An initializer; one of the same name is the same. */
  store(name: string, type: ElementType, shape: readonly number[], data: ArrayBufferView): string {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (!this.#initializers.has(name)) this.#initializers.set(name, { name, type, shape, data: bytes });
    return name;
  }

  /** A parameter in 32 bits, stored as the graph's type says; vectors are in 32 bits always. */
  parameter(name: string): string {
    const { shape, data } = this.parameters.get(name)!;
    return this.floats(name, shape, data);
  }

  /** As `parameter`, for numbers that are laid out otherwise than the parameter. */
  floats(name: string, shape: readonly number[], data: Float32Array): string {
    if (this.type !== 'f16' || shape.length < 2) return this.store(name, 'float', shape, data);
    this.store(name, 'float16', shape, Uint16Array.from(data, halfOf));
    // onnxruntime folds the cast as it loads the model.
    return this.#once(name, () => this.op('Cast', [name], { to: 1 }));
  }

  /** x times a matrix that is stored [in, out], or [out, in] as nn.Linear has it. */
  product(x: string, name: string, layout: 'in-out' | 'out-in', exact = false): string {
    if (this.type !== 'q8' || exact) {
      const weight = this.parameter(name);
      const turned = layout === 'in-out' ? weight : this.#once(`${name}^T`, () => this.transpose(weight, [1, 0]));
      return this.op('MatMul', [x, turned]);
    }
    return this.#quantizedProduct(x, name, layout);
  }

  add(a: string, b: string): string {
    return this.op('Add', [a, b]);
  }

  multiply(a: string, b: string): string {
    return this.op('Mul', [a, b]);
  }

  transpose(x: string, perm: readonly number[]): string {
    return this.op('Transpose', [x], { perm });
  }

  /** 0 keeps a side as it is. */
  reshape(x: string, shape: readonly number[]): string {
    return this.op('Reshape', [x, this.ints(shape)]);
  }

  unsqueeze(x: string, axes: readonly number[]): string {
    return this.op('Unsqueeze', [x, this.ints(axes)]);
  }

  slice(x: string, axis: number, from: number, to: number): string {
    return this.op('Slice', [x, this.ints([from]), this.ints([to]), this.ints([axis])]);
  }

  /** Equal parts. */
  split(x: string, parts: number, axis: number): string[] {
    return this.several('Split', [x], parts, { axis });
  }

  /**
   * As onnxruntime's quantize_dynamic writes it: x in 8 bits with one scale, the matrix in 8 bits with one a column, the
   * product in whole numbers. Bytes without a sign are exact everywhere; with a sign they overflow in AVX2's products.
   */
  #quantizedProduct(x: string, name: string, layout: 'in-out' | 'out-in'): string {
    const { data, shape, scales } = quantizedColumns(this.parameters.get(name)!, layout);
    const weight = this.store(`${name}_quantized`, 'uint8', shape, data);
    const scale = this.store(`${name}_scale`, 'float', [scales.length], scales);
    const zero = this.store('byte_128', 'uint8', [], Uint8Array.of(128));
    let read = this.#quantized.get(x);
    if (!read) {
      const [whole, by, at] = this.several('DynamicQuantizeLinear', [x], 3);
      this.#quantized.set(x, (read = { x: whole, scale: by, zero: at }));
    }
    const sums = this.op('Cast', [this.op('MatMulInteger', [read.x, weight, read.zero, zero])], { to: 1 });
    return this.multiply(sums, this.multiply(read.scale, scale));
  }

  #once(key: string, make: () => string): string {
    const found = this.#widened.get(key) ?? make();
    this.#widened.set(key, found);
    return found;
  }

  #fresh(type: string): string {
    return `${type}_${this.#count++}`;
  }
}
