import type { Budget } from '../../base/budget.ts';
import { excerpt } from '../../base/excerpt.ts';
import { inputError } from '../../base/result.ts';

/** Numbers of one type in a member of the archive. */
export interface Storage {
  kind: 'storage';
  type: string;
  key: string;
}

export interface PickledTensor {
  kind: 'tensor';
  storage: Storage;
  offset: number;
  shape: readonly number[];
  stride: readonly number[];
}

interface Name {
  kind: 'name';
  name: string;
}

/** What a pickle of weights consists of. A tuple and a list are both an array here. */
export type Pickled =
  | null
  | boolean
  | number
  | string
  | Pickled[]
  | Map<string, Pickled>
  | Name
  | Storage
  | PickledTensor;

const STORAGES = ['Float', 'Half', 'BFloat16', 'Double', 'Long', 'Int', 'Short', 'Char', 'Byte', 'Bool'];
const KNOWN = new Set([
  'collections.OrderedDict',
  'torch._utils._rebuild_tensor_v2',
  'torch._utils._rebuild_parameter',
  ...STORAGES.map((type) => `torch.${type}Storage`),
]);

export const broken = (what: string, byte?: number) =>
  inputError(
    'pytorch-invalid',
    `Not a PyTorch file of weights that can be read: ${what}.`,
    byte === undefined ? undefined : { byte },
  );

/**
 * The value that a pickle tells, by the opcodes and names that torch.save needs for weights. Nothing is run: any other
 * name is refused by name, and a known one only makes a value of the kinds above. What the memo shares stays shared, so
 * that a value costs as much as its bytes. Throws InputError.
 */
export function unpickled(bytes: Uint8Array, budget: Budget): Pickled {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const stack: Pickled[] = [];
  const marks: number[] = [];
  const memo = new Map<number, Pickled>();
  let at = 0;
  let made = 0;
  const take = (count: number): number => {
    if (count > bytes.length - at) throw broken('its pickle ends too early', at);
    at += count;
    return at - count;
  };
  const push = (value: Pickled): void => {
    budget.values(++made);
    stack.push(value);
  };
  const pop = (): Pickled => {
    if (stack.length === 0 || stack.length === marks.at(-1)) throw broken('its pickle takes more than it has', at);
    return stack.pop()!;
  };
  const popped = (count: number): Pickled[] => Array.from({ length: count }, pop).reverse();
  const popMark = (): Pickled[] => {
    const mark = marks.pop();
    if (mark === undefined) throw broken('its pickle takes more than it has', at);
    return stack.splice(mark);
  };
  const top = (): Pickled => {
    const value = pop();
    stack.push(value);
    return value;
  };
  const text = (length: number): string => {
    const from = take(length);
    try {
      return decoder.decode(bytes.subarray(from, from + length));
    } catch {
      throw broken('a text of its pickle is not UTF-8', from);
    }
  };
  const line = (): string => {
    const end = bytes.indexOf(0x0a, at);
    const found = text((end < 0 ? bytes.length + 1 : end) - at);
    at++;
    return found;
  };
  const name = (module: Pickled, member: Pickled): Name => {
    const whole = `${String(module)}.${String(member)}`;
    if (typeof module === 'string' && typeof member === 'string' && KNOWN.has(whole))
      return { kind: 'name', name: whole };
    throw broken(`its pickle asks for ${excerpt(whole)}, which weights do not need and which is not run here`, at);
  };
  const set = (pairs: Pickled[]): void => {
    const into = top();
    if (!(into instanceof Map) || pairs.length % 2 !== 0) throw broken('its pickle fills what is no table', at);
    for (let i = 0; i < pairs.length; i += 2) {
      const key = pairs[i];
      if (typeof key !== 'string') throw broken('a table of its pickle has a key that is no text', at);
      into.set(key, pairs[i + 1]);
    }
  };
  const append = (values: Pickled[]): void => {
    const into = top();
    if (!Array.isArray(into)) throw broken('its pickle fills what is no list', at);
    for (const value of values) into.push(value);
  };
  const recall = (index: number): Pickled => {
    const value = memo.get(index);
    if (value === undefined) throw broken(`its pickle recalls what it never stored (${index})`, at);
    return value;
  };
  const long = (length: number): number => {
    const from = take(length);
    if (length > 7) throw broken('its pickle holds a number that is too large', from);
    let value = 0;
    for (let i = length - 1; i >= 0; i--) value = value * 256 + bytes[from + i];
    return length > 0 && bytes[from + length - 1] > 127 ? value - 256 ** length : value;
  };

  for (;;) {
    const place = take(1);
    const code = bytes[place];
    switch (String.fromCharCode(code)) {
      case '\x80': // PROTO
        take(1);
        break;
      case '\x95': // FRAME
        take(8);
        break;
      case '}':
        push(new Map());
        break;
      case ')':
      case ']':
        push([]);
        break;
      case '(':
        budget.values(++made);
        marks.push(stack.length);
        break;
      case 't':
        push(popMark());
        break;
      case '\x85':
      case '\x86':
      case '\x87':
        push(popped(code - 0x84));
        break;
      case 'q':
        memo.set(bytes[take(1)], top());
        break;
      case 'r':
        memo.set(view.getUint32(take(4), true), top());
        break;
      case '\x94': // MEMOIZE
        memo.set(memo.size, top());
        break;
      case 'h':
        push(recall(bytes[take(1)]));
        break;
      case 'j':
        push(recall(view.getUint32(take(4), true)));
        break;
      case 'c':
        push(name(line(), line()));
        break;
      case '\x93': {
        const member = pop();
        push(name(pop(), member));
        break;
      }
      case 'X':
        push(text(view.getUint32(take(4), true)));
        break;
      case '\x8c': // SHORT_BINUNICODE
        push(text(bytes[take(1)]));
        break;
      case 'J':
        push(view.getInt32(take(4), true));
        break;
      case 'K':
        push(bytes[take(1)]);
        break;
      case 'M':
        push(view.getUint16(take(2), true));
        break;
      case '\x8a': // LONG1
        push(long(bytes[take(1)]));
        break;
      case 'G':
        push(view.getFloat64(take(8), false));
        break;
      case 'N':
        push(null);
        break;
      case '\x88':
      case '\x89':
        push(code === 0x88);
        break;
      case 's':
        set(popped(2));
        break;
      case 'u':
        set(popMark());
        break;
      case 'a':
        append(popped(1));
        break;
      case 'e':
        append(popMark());
        break;
      case 'Q':
        push(storageOf(pop()));
        break;
      case 'R': {
        const given = pop();
        push(rebuilt(pop(), given, place));
        break;
      }
      case 'b': // BUILD: attributes of a table, such as the versions of modules, say nothing of weights.
        pop();
        if (!(top() instanceof Map)) throw broken('its pickle gives attributes to what is no table', place);
        break;
      case '.': {
        const value = pop();
        if (stack.length > 0 || marks.length > 0) throw broken('its pickle leaves values over', place);
        return value;
      }
      default:
        throw broken(`its pickle has the instruction 0x${code.toString(16)}, which weights do not need`, place);
    }
  }
}

/** A storage by what torch.save says of it: ("storage", its type, key, device, size). */
function storageOf(id: Pickled): Storage {
  if (Array.isArray(id) && id[0] === 'storage' && typeof id[2] === 'string') {
    const type = isKind(id[1], 'name') ? (/^torch\.(\w+)Storage$/.exec(id[1].name)?.[1] ?? '') : '';
    if (type !== '') return { kind: 'storage', type, key: id[2] };
  }
  throw broken('its pickle names numbers that are not in the file');
}

/** What a known name makes of what it is given. */
function rebuilt(of: Pickled, given: Pickled, byte: number): Pickled {
  if (isKind(of, 'name') && Array.isArray(given)) {
    if (of.name === 'collections.OrderedDict' && given.length === 0) return new Map();
    if (of.name === 'torch._utils._rebuild_parameter' && isKind(given[0], 'tensor')) return given[0];
    const [storage, offset, shape, stride] = given;
    if (
      of.name === 'torch._utils._rebuild_tensor_v2' &&
      isKind(storage, 'storage') &&
      isCount(offset) &&
      areCounts(shape) &&
      areCounts(stride)
    )
      return { kind: 'tensor', storage, offset, shape, stride };
  }
  throw broken('its pickle makes something other than tensors', byte);
}

const isCount = (value: Pickled): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const areCounts = (value: Pickled): value is number[] =>
  Array.isArray(value) && value.length <= 8 && value.every(isCount);

/** Whether a value is one of the made kinds. */
export function isKind<K extends 'name' | 'storage' | 'tensor'>(
  value: Pickled | undefined,
  kind: K,
): value is Extract<Pickled, { kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
