import type { NamedArrays } from '../../models/parameters.ts';
import { halvesOf } from '../float16.ts';
import type { OnnxType } from './onnx-files.ts';
import {
  ELEMENT,
  type Attributes,
  type ElementType,
  type Graph,
  type Node,
  type Tensor,
  type Value,
} from './model-proto.ts';
import { quantized, SCALE } from './quantized.ts';

/** Collects the nodes of a graph in the order of computation. Values are named by their node; parameters have their own names. */
export class GraphBuilder {
  readonly #nodes: Node[] = [];
  readonly #initializers = new Map<string, Tensor>();
  readonly #inputs: Value[] = [];
  readonly #outputs: Value[] = [];
  /** Weights in 32 bits by the names under which they are stored in fewer. */
  readonly #widened = new Map<string, string>();
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

  /** A parameter in 32 bits. */
  parameter(name: string): string {
    const { shape, data } = this.parameters.get(name)!;
    return this.floats(name, shape, data);
  }

  /**
   * Numbers in 32 bits under the name of a parameter that they are laid out otherwise than. Matrices are stored as the
   * graph's type says, and onnxruntime widens them once, as it loads the model.
   * @param outputs the axis of the outputs, of a matrix that may be stored in 8 bits, with a scale for each output
   */
  floats(name: string, shape: readonly number[], data: Float32Array, outputs?: number): string {
    if (shape.length > 1 && this.type === 'f16') {
      this.store(name, 'float16', shape, halvesOf(data));
      return this.#once(name, () => this.op('Cast', [name], { to: ELEMENT.float }));
    }
    if (outputs === undefined || this.type !== 'q8') return this.store(name, 'float', shape, data);
    const { bytes, scales } = quantized(shape, data, outputs);
    const scale = this.store(`${name}${SCALE}`, 'float', scales.shape, scales.data);
    this.store(name, 'int8', shape, bytes);
    return this.#once(name, () => this.multiply(this.op('Cast', [name], { to: ELEMENT.float }), scale));
  }

  /** x times a layer's matrix, which is stored [in, out], or [out, in] as nn.Linear has it. */
  product(x: string, name: string, layout: 'in-out' | 'out-in'): string {
    const { shape, data } = this.parameters.get(name)!;
    const weight = this.floats(name, shape, data, layout === 'in-out' ? 1 : 0);
    return this.op('MatMul', [x, layout === 'in-out' ? weight : this.transpose(weight, [1, 0])]);
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

  #once(key: string, make: () => string): string {
    const found = this.#widened.get(key) ?? make();
    this.#widened.set(key, found);
    return found;
  }

  #fresh(type: string): string {
    return `${type}_${this.#count++}`;
  }
}
