import { sizeOf } from '../../models/parameters.ts';
import type { Tensor, Value } from '../onnx/model-proto.ts';
import { typeOf, whole, type AttrValue, type DataType, type FunctionDef, type NodeDef } from './graph-def.ts';

/** A constant as the weights of model.json have it. */
export interface Weight {
  name: string;
  shape: readonly number[];
  dtype: 'float32' | 'int32';
  /** Little-endian. */
  data: Uint8Array;
}

/** What a graph and the functions that it calls have in common. */
export interface Shared {
  /** Constants of the graph that is translated, by name. */
  initializers: ReadonlyMap<string, Tensor>;
  weights: Map<string, Weight>;
  functions: FunctionDef[];
}

/** Collects the nodes of a GraphDef, or of one function in it. */
export class TfScope {
  readonly nodes: NodeDef[] = [];
  /** Where the values of the translated graph are; null for one without any numbers. */
  readonly values = new Map<string, string | null>();
  readonly #constants = new Set<string>();
  #count = 0;

  /** How many rows of ids are read, where that is known. */
  batch: string | null = null;

  constructor(readonly shared: Shared) {}

  /** A node; its first output has the node's name, the next are `NAME:1` and so on. */
  op(op: string, input: readonly string[], attr: Record<string, AttrValue> = {}, name?: string): string {
    const node = { name: name ?? `${op}_${this.#count++}`, op, input, attr };
    this.nodes.push(node);
    return node.name;
  }

  /** A value of the translated graph: one that was computed, or a constant. */
  value(name: string): string | null {
    const found = this.values.get(name);
    if (found !== undefined) return found;
    const tensor = this.shared.initializers.get(name);
    if (!tensor) throw new Error(`the graph uses ${name} before it is computed`);
    return this.constant(tensor);
  }

  /** Whole numbers, shape [length]; or [] for a single one that is not in a list. */
  ints(values: readonly number[] | number): string {
    const list = typeof values === 'number' ? [values] : values;
    const name = typeof values === 'number' ? `scalar_${values}` : `list_${list.join('_')}`;
    const shape = typeof values === 'number' ? [] : [list.length];
    return this.#stored(name, () => ({ shape, dtype: 'int32', data: bytesOf(Int32Array.from(list)) }));
  }

  number(value: number): string {
    return this.#stored(`float_${value}`, () => ({
      shape: [],
      dtype: 'float32',
      data: bytesOf(Float32Array.of(value)),
    }));
  }

  /** So many zeros; a side that is no number is the batch. */
  zeros(type: Value['type'], shape: Value['shape']): string {
    const sides = shape.map((side) => (typeof side === 'number' ? this.ints(side) : this.batch!));
    const size = this.op('Pack', sides, { N: whole(sides.length), axis: whole(0) });
    return this.op('Fill', [size, type === 'float' ? this.number(0) : this.ints(0)], { T: { type: typeOf({ type }) } });
  }

  constant({ name, type, shape, data }: Tensor): string {
    if (type === 'float') return this.#stored(name, () => ({ shape, dtype: 'float32', data }));
    if (type !== 'int64') throw new Error(`${name}: TF.js has no constants of type ${type}`);
    const { buffer, byteOffset } = data;
    const values = new BigInt64Array(buffer, byteOffset, sizeOf(shape));
    return this.#stored(name, () => ({ shape, dtype: 'int32', data: bytesOf(Int32Array.from(values, Number)) }));
  }

  #stored(given: string, make: () => Omit<Weight, 'name'>): string {
    // What TensorFlow allows in the name of a node.
    const name = given.replace(/[^\w.-]/g, '_');
    if (!this.shared.weights.has(name)) this.shared.weights.set(name, { name, ...make() });
    if (this.#constants.has(name)) return name;
    this.#constants.add(name);
    const type: DataType = this.shared.weights.get(name)!.dtype === 'float32' ? 'DT_FLOAT' : 'DT_INT32';
    return this.op('Const', [], { dtype: { type } }, name);
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
