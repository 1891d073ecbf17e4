import { excerpt } from '../../base/excerpt.ts';
import { InputError, inputError, ok, type Result } from '../../base/result.ts';
import { sizeOf, type NamedArrays } from '../../models/parameters.ts';
import { floatsOfHalves } from '../float16.ts';
import { pytorchTensors } from './lstm-graph.ts';
import { ELEMENT, PRODUCER } from './model-proto.ts';
import { ROTARY_FREQUENCIES } from './modern-graph.ts';
import { brokenAt, fieldsOf, numbersIn, type Field } from './protobuf-reader.ts';
import { placeOn, SCALE } from './quantized.ts';

/** A model of 48 layers has some 700. */
const MOST_TENSORS = 10_000;
const MOST_SIDES = 8;

/** Bytes of a number by its type. */
const WIDTHS = new Map<number, number>([
  [ELEMENT.float, 4],
  [ELEMENT.float16, 2],
  [ELEMENT.int8, 1],
  [ELEMENT.int64, 8],
]);

interface Stored {
  name: string;
  type: number;
  shape: number[];
  data: Field;
}

/**
 * The parameters in a file of onnxModel, as model.safetensors has them. Of the file only the tensors are read; its graph is
 * the one that its kind has. Fails with `other-onnx` for third-party files, whose names and layouts are others, and
 * with `onnx-invalid` where the file is broken.
 */
export function readOnnx(bytes: Uint8Array): Result<NamedArrays> {
  try {
    const stored = storedIn(bytes);
    const tensors: NamedArrays = new Map();
    for (const tensor of stored.values()) {
      const { name, type, shape } = tensor;
      const isParameter = type !== ELEMENT.int64 && shape.length > 0 && name !== ROTARY_FREQUENCIES;
      if (isParameter && !name.endsWith(SCALE)) tensors.set(name, { shape, data: valuesOf(bytes, tensor, stored) });
    }
    return ok(pytorchTensors(tensors));
  } catch (error) {
    if (error instanceof InputError) return { ok: false, error: error.failure };
    throw error;
  }
}

/** Every initializer by its name. */
function storedIn(bytes: Uint8Array): Map<string, Stored> {
  let graph: Field | null = null;
  let producer = '';
  for (const field of fieldsOf(bytes, 0, bytes.length)) {
    if (field.number === 2) producer = textOf(bytes, field);
    if (field.number !== 7) continue;
    if (graph) throw brokenAt(field.from, 'there is a second graph');
    graph = field;
  }
  if (!graph) throw brokenAt(bytes.length, 'there is no graph');
  if (producer !== PRODUCER)
    throw inputError(
      'other-onnx',
      `This ONNX was written by ${excerpt(producer)}. Only files that this lab wrote can be read back; take the model's safetensors.`,
    );
  const stored = new Map<string, Stored>();
  for (const field of fieldsOf(bytes, graph.from, graph.to)) {
    if (field.number !== 5) continue;
    const tensor = tensorIn(bytes, field);
    if (stored.has(tensor.name)) throw brokenAt(field.from, `there is a second tensor ${excerpt(tensor.name)}`);
    if (stored.size === MOST_TENSORS) throw brokenAt(field.from, `there are more than ${MOST_TENSORS} tensors`);
    stored.set(tensor.name, tensor);
  }
  return stored;
}

function tensorIn(bytes: Uint8Array, tensor: Field): Stored {
  let [name, type] = ['', 0];
  let shape: number[] = [];
  let data: Field | null = null;
  for (const field of fieldsOf(bytes, tensor.from, tensor.to)) {
    if (field.number === 1) shape = numbersIn(bytes, field, MOST_SIDES);
    else if (field.number === 2) type = field.value ?? 0;
    else if (field.number === 8) name = textOf(bytes, field);
    else if (field.number === 9) data = field;
  }
  const width = WIDTHS.get(type);
  if (width === undefined)
    throw brokenAt(tensor.from, `the tensor ${excerpt(name)} has numbers of another type (${type})`);
  const [size, found] = [sizeOf(shape) * width, data ? data.to - data.from : 0];
  if (data === null || found !== size)
    throw brokenAt(tensor.from, `the tensor ${excerpt(name)} has ${found} bytes where its shape needs ${size}`);
  return { name, type, shape, data };
}

/** In 32 bits, whatever they are stored in. */
function valuesOf(bytes: Uint8Array, tensor: Stored, all: ReadonlyMap<string, Stored>): Float32Array {
  const { name, type, shape, data } = tensor;
  // A copy begins where numbers of any width may.
  const { buffer } = bytes.slice(data.from, data.to);
  if (type === ELEMENT.float) return new Float32Array(buffer);
  if (type === ELEMENT.float16) return floatsOfHalves(new Uint16Array(buffer));
  const scale = all.get(name + SCALE);
  const axis = scale?.shape.findIndex((side) => side > 1) ?? -1;
  const fits = scale?.shape.every((side, i) => side === (i === axis ? shape[i] : 1));
  if (!scale || scale.type !== ELEMENT.float || scale.shape.length !== shape.length || !fits)
    throw brokenAt(data.from, `the tensor ${excerpt(name)} is in 8 bits without the scales that fit it`);
  const scales = valuesOf(bytes, scale, all);
  const place = placeOn(shape, Math.max(0, axis));
  return Float32Array.from(new Int8Array(buffer), (x, i) => x * scales[axis < 0 ? 0 : place(i)]);
}

function textOf(bytes: Uint8Array, { from, to }: Field): string {
  return new TextDecoder().decode(bytes.subarray(from, Math.min(to, from + 500)));
}
