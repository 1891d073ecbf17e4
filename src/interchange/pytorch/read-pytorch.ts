import { Budget } from '../../base/budget.ts';
import { failureOf, InputError, ok, type Result } from '../../base/result.ts';
import { storedMembers } from '../../base/zip.ts';
import { sizeOf, type NamedArrays } from '../../models/parameters.ts';
import { decoders } from '../safetensors.ts';
import { broken, isKind, unpickled, type PickledTensor } from './pickle.ts';

/** The types of storage that weights have, as safetensors names them; others are masks and counts, which are passed over. */
const TYPES = new Map([
  ['Float', 'F32'],
  ['Half', 'F16'],
  ['BFloat16', 'BF16'],
] as const);

/**
 * The weights of a pytorch_model.bin: a zip archive with a pickle, which is read and not run (pickle.ts), and the numbers
 * of each storage. Tensors may be whole storages or parts of them side by side, and two may be the same numbers, as a
 * tied head is; anything that lies across another, or beyond its storage, is refused. So what is read is never more than
 * the file holds. Fails with `pytorch-invalid`, and as zip archives do.
 */
export function readPytorch(bytes: Uint8Array, file: string): Result<NamedArrays> {
  const budget = new Budget(file);
  try {
    if (bytes[0] === 0x80)
      throw broken('it is of the form before PyTorch 1.6; save it again with safe_serialization=True');
    const members = storedMembers(bytes, file, budget);
    const pickle = [...members.keys()].find((name) => /^[^/]*\/data\.pkl$/.test(name));
    if (pickle === undefined) throw broken('the archive holds no data.pkl');
    const root = pickle.slice(0, -'data.pkl'.length);
    const order = members.get(`${root}byteorder`);
    if (order && new TextDecoder().decode(order) !== 'little') throw broken('its numbers are not little-endian');
    budget.hold('document', members.get(pickle)!.length);
    const table = unpickled(members.get(pickle)!, budget);
    if (!(table instanceof Map)) throw broken('its pickle is no table of tensors');
    const tensors: NamedArrays = new Map();
    const read = new Map<string, Part[]>();
    for (const [name, tensor] of table) {
      if (!isKind(tensor, 'tensor')) throw broken(`"${name}" is no tensor; save the model's state_dict()`);
      const type = TYPES.get(tensor.storage.type as 'Float');
      if (type === undefined) continue;
      const storage = members.get(`${root}data/${tensor.storage.key}`);
      if (!storage) throw broken(`the numbers of "${name}" are missing`);
      const parts = read.get(tensor.storage.key) ?? [];
      read.set(tensor.storage.key, parts);
      const data = dataOf(name, tensor, type, storage, parts);
      tensors.set(name, { shape: [...tensor.shape], data });
    }
    return ok(tensors);
  } catch (error) {
    if (error instanceof InputError) return { ok: false, error: failureOf(error) };
    throw error;
  }
}

/** Bytes of a storage that were read, and as what. */
interface Part {
  from: number;
  to: number;
  type: keyof typeof decoders;
  data: Float32Array;
}

function dataOf(
  name: string,
  { shape, stride, offset }: PickledTensor,
  type: keyof typeof decoders,
  storage: Uint8Array,
  parts: Part[],
): Float32Array {
  const { bytes, decode } = decoders[type];
  const size = sizeOf(shape);
  const [from, to] = [offset * bytes, (offset + size) * bytes];
  if (!(to <= storage.length))
    throw broken(`"${name}" of shape [${shape.join(', ')}] lies beyond its storage of ${storage.length} bytes`);
  let step = 1;
  for (let side = shape.length - 1; side >= 0; side--) {
    if (shape[side] > 1 && stride[side] !== step)
      throw broken(`"${name}" is not stored row after row; save it again with safe_serialization=True`);
    step *= shape[side];
  }
  const same = parts.find((part) => part.from === from && part.to === to && part.type === type);
  if (same) return same.data;
  if (parts.some((part) => from < part.to && part.from < to)) throw broken(`"${name}" lies across another tensor`);
  const data = decode(new DataView(storage.buffer, storage.byteOffset + from, to - from));
  parts.push({ from, to, type, data });
  return data;
}
