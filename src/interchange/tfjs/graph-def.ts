import type { Value } from '../onnx/model-proto.ts';

/** The parts of TensorFlow's GraphDef, in protobuf's JSON, that the graphs of model.json have. */
export interface GraphDef {
  node: readonly NodeDef[];
  library?: { function: readonly FunctionDef[] };
  versions: { producer: number; minConsumer: number };
}

export interface NodeDef {
  name: string;
  op: string;
  input: readonly string[];
  attr: Readonly<Record<string, AttrValue>>;
}

export type AttrValue =
  | { type: DataType }
  | { i: string }
  | { b: boolean }
  | { s: string }
  | { shape: TensorShape }
  | { list: { i: readonly string[] } }
  | { func: { name: string } };

/** A side of -1 is any. */
export interface TensorShape {
  dim: readonly { size: string }[];
}

export interface FunctionDef {
  signature: { name: string; inputArg: readonly Argument[]; outputArg: readonly Argument[] };
  nodeDef: readonly NodeDef[];
  /** The value of each output. */
  ret: Readonly<Record<string, string>>;
}

interface Argument {
  name: string;
  type: DataType;
}

/** Integers have 32 bits in TF.js. */
export type DataType = 'DT_FLOAT' | 'DT_INT32' | 'DT_BOOL';

export const shapeOf = (sides: readonly (number | string)[]): TensorShape => ({
  dim: sides.map((side) => ({ size: String(typeof side === 'number' ? side : -1) })),
});

export const whole = (value: number): AttrValue => ({ i: String(value) });
export const wholes = (values: readonly number[]): AttrValue => ({ list: { i: values.map(String) } });
/** Strings are bytes in base64. */
export const text = (value: string): AttrValue => ({ s: btoa(value) });

/** Of a value of ONNX. */
export const typeOf = ({ type }: Pick<Value, 'type'>): DataType => (type === 'float' ? 'DT_FLOAT' : 'DT_INT32');
