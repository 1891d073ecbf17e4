import { lmHead } from '../../models/gpt.ts';
import { parameterShapes } from '../../models/model.ts';
import { sizeOf, type NamedArrays } from '../../models/parameters.ts';
import { tablesOf } from '../forms/slot-pairs.ts';
import { firstReadings, type Reading, type Readings } from './readings.ts';
import { centre, DOUBLED, resized, wideningOf, type PlainKind, type Stretch } from './stretch.ts';

/** The logit of a reading that cannot stand in a state is lower by this much over the size of the row, twice. */
const GAIN = 1000;

/**
 * A model without slots that computes what one with slots does: its vocabulary is the readings, its residual stream has
 * a column more for each state of the grammar. A row begins with its token's vector and its slot's, and with a mark in
 * the column of the state after it, which no layer reads or writes; the head is the token's row, and takes from the
 * readings that cannot stand in the marked state so much that none is ever likely. The logits of the others are the
 * model's own. So a library that knows no slots computes the model, and what it generates are readings again.
 * @param rowOfSlot where in the table of slots a reading's row stands
 * @returns arrays under the library's names, and the width of the residual stream
 */
export function plainParameters(
  model: PlainKind,
  parameters: NamedArrays,
  readings: Readings,
  rowOfSlot: (reading: Reading) => number = ({ slot }) => slot,
): { parameters: NamedArrays; width: number } {
  const { width: d } = model;
  const { added, length, stretches, finalNorm, embedding } = wideningOf(model, readings.states);
  const width = d + added;
  const tables = tablesOf(model.kind);
  const tokens = parameters.get(tables.tokens)!.data;
  const slots = parameters.get(tables.slots)!.data;
  const head = parameters.get(lmHead)?.data ?? tokens;
  const balanced = model.kind === 'gpt2';
  const mark = Math.sqrt(balanced ? length / 2 : length);

  const rows = new Float32Array(readings.list.length * width);
  const heads = new Float32Array(readings.list.length * width);
  for (const [number, reading] of readings.list.entries()) {
    const { token, next } = reading;
    const slot = rowOfSlot(reading);
    const row = Float32Array.from({ length: d }, (_, i) => DOUBLED * (tokens[token * d + i] + slots[slot * d + i]));
    rows.set(balanced ? centre(row, d) : row, number * width);
    rows[number * width + d + next] = mark;
    // What is marked has no mean.
    if (balanced) rows[number * width + d + readings.states] = -mark;
    heads.set(head.subarray(token * d, (token + 1) * d), number * width);
    for (let state = 0; state < readings.states; state++)
      if (readings.at[state * readings.vocabulary + token] !== number) heads[number * width + d + state] = -GAIN;
    // What a rounded mean adds to every column alike, the last takes back.
    if (balanced) {
      const added = heads.subarray(number * width + d, (number + 1) * width);
      added[added.length - 1] = -added.reduce((sum, x) => sum + x, 0);
    }
  }

  const plain: NamedArrays = new Map([[embedding, { shape: [readings.list.length, width], data: rows }]]);
  for (const stretch of stretches) {
    const { shape, data } = parameters.get(stretch.name)!;
    plain.set(stretch.name, { shape: regrouped(shape, stretch), data: stretched(stretch, data) });
  }
  plain.get(finalNorm)!.data.fill(GAIN, d);
  plain.set(lmHead, { shape: [readings.list.length, width], data: heads });
  return { parameters: plain, width };
}

/** The parameters of a model with slots again: a row for each reading, a row of the head for each token. */
export interface NarrowedModel {
  /** Everything but the tables of tokens and slots and the head. */
  parameters: NamedArrays;
  /** [readings, d] */
  rows: Float32Array;
  /** [vocabulary, d] */
  head: Float32Array;
}

/**
 * What `plainParameters` was given, as far as it matters; what layer norms cannot see is gone.
 * @returns the name of an array instead that is missing or has another size
 */
export function narrowed(model: PlainKind, tensors: NamedArrays, readings: Readings): NarrowedModel | string {
  const { width: d } = model;
  const { added, stretches, embedding } = wideningOf(model, readings.states);
  const size = readings.list.length * (d + added);
  for (const name of [embedding, lmHead]) if (tensors.get(name)?.data.length !== size) return name;
  const table = (name: string) =>
    resized(tensors.get(name)!.data, [readings.list.length, d + added], [readings.list.length, d]);
  const parameters: NamedArrays = new Map();
  const shapes = new Map(parameterShapes(model).map(({ name, shape }) => [name, shape]));
  for (const stretch of stretches) {
    const data = tensors.get(stretch.name)?.data;
    if (data?.length !== sizeOf(stretch.wide)) return stretch.name;
    parameters.set(stretch.name, { shape: shapes.get(stretch.name)!, data: shrunk(stretch, data) });
  }
  const heads = table(lmHead);
  const first = firstReadings(readings);
  const head = new Float32Array(readings.vocabulary * d);
  for (const [token, number] of first.entries()) head.set(heads.subarray(number * d, (number + 1) * d), token * d);
  return { parameters, rows: table(embedding).map((x) => x / DOUBLED), head };
}

function stretched(stretch: Stretch, data: Float32Array): Float32Array {
  const { narrow, wide, factor, centred } = stretch;
  const own = centred ? centre(data.slice(), narrow.at(-1)!) : data;
  return multiplied(
    resized(own, narrow, wide).map((x) => x * factor),
    stretch,
    (x, queries) => x * queries,
  );
}

function shrunk(stretch: Stretch, data: Float32Array): Float32Array {
  const { narrow, wide, factor } = stretch;
  const whole = multiplied(data.slice(), stretch, (x, queries) => x / queries);
  const own = resized(whole, wide, narrow);
  // A loop: with `map` this took 50 ms of the opening of a model that ships, which a page waits for.
  for (let i = 0; i < own.length; i++) own[i] /= factor;
  return own;
}

/** The queries of glued queries, keys and values, in place. */
function multiplied(data: Float32Array, { wide, queries }: Stretch, by: (x: number, queries: number) => number) {
  if (queries === undefined) return data;
  const part = wide.at(-1)! * wide.at(-2)!;
  for (let i = 0; i < data.length; i++) if (i % (3 * part) < part) data[i] = by(data[i], queries);
  return data;
}

/** The library's shape of the wider array, whose axes are products of those that grow. */
function regrouped(shape: readonly number[], { narrow, wide }: Stretch): number[] {
  let axis = 0;
  return shape.map((size) => {
    let [of, to] = [narrow[axis], wide[axis++]];
    while (of < size) {
      of *= narrow[axis];
      to *= wide[axis++];
    }
    return to;
  });
}
