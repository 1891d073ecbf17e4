import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../../base/random.ts';
import { orthogonalRows } from '../../../../../models/orthogonal-rows.ts';
import { attentionMask, selfAttention } from './attention.ts';
import { loadBackend } from '../../backend.ts';
import { Dropout } from '../dropout.ts';
import { favorAttention } from './favor-attention.ts';
import { localAttention } from './local-attention.ts';
import { lshAttention } from './lsh-attention.ts';

const still = new Dropout(0, 0);
const draw = (name: string, length: number, scale = 1) => {
  const random = seededRandom('attention kinds', name);
  return Float32Array.from({ length }, () => scale * random.normal());
};
const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** The vector of one token, part and head in rows [B * T, parts * d]. */
type Vectors = (row: number, part: number, head: number, t: number) => number[];

function vectorsOf(values: Float32Array, columns: number, parts: number, heads: number, size: number): Vectors {
  return (row, part, head, t) => {
    const at = ((row * columns + t) * parts + part) * heads * size + head * size;
    return Array.from(values.subarray(at, at + size));
  };
}

/** What token t gets from values weighed by exp(score), or by the weights themselves where `raised` is false. */
function weighed(weights: [score: number, value: number[]][], raised = true): { out: number[]; amount: number } {
  const most = raised ? Math.max(...weights.map(([score]) => score)) : 0;
  const shares = weights.map(([score]) => (raised ? Math.exp(score - most) : score));
  const total = shares.reduce((sum, x) => sum + x, 0);
  const out = weights[0][1].map((_, i) => shares.reduce((sum, x, j) => sum + x * weights[j][1][i], 0) / total);
  return { out, amount: most + Math.log(total) };
}

/** Rows [B * T, d] from an answer for each token and head, in float64. */
function rowsOf(
  { rows, columns, heads }: { rows: number; columns: number; heads: number },
  answer: (row: number, head: number, t: number) => number[],
): number[] {
  const all: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let t = 0; t < columns; t++) for (let head = 0; head < heads; head++) all.push(...answer(row, head, t));
  return all;
}

const most = (found: tf.Tensor, wanted: ArrayLike<number>) =>
  Array.from(found.dataSync()).reduce((worst, x, i) => Math.max(worst, Math.abs(x - wanted[i])), 0);

/** Sequences, heads, head widths and lengths that divide by nothing. */
const shapes = [
  { rows: 1, heads: 1, size: 3, columns: 1 },
  { rows: 2, heads: 3, size: 2, columns: 7 },
  { rows: 3, heads: 2, size: 5, columns: 13 },
  { rows: 1, heads: 4, size: 4, columns: 33 },
];

describe.each(['cpu', 'wasm'] as const)('on %s', (backend) => {
  it.each(shapes)('local attention is softmax over a chunk and the one before: %o', async (shape) => {
    await loadBackend(backend);
    const { rows, heads, size, columns } = shape;
    const values = draw('local', rows * columns * 3 * heads * size);
    const at = vectorsOf(values, columns, 3, heads, size);
    for (const chunk of [1, 2, 5, Math.ceil(columns / 2), columns, columns + 3])
      tf.tidy(() => {
        const found = localAttention(
          tf.tensor2d(values, [rows * columns, 3 * heads * size]),
          rows,
          heads,
          chunk,
          still,
        );
        const wanted = rowsOf(shape, (row, head, t) => {
          const first = Math.max(0, (Math.floor(t / chunk) - 1) * chunk);
          const seen = Array.from({ length: t - first + 1 }, (_, i) => first + i);
          const query = at(row, 0, head, t);
          return weighed(seen.map((j) => [dot(query, at(row, 1, head, j)) / Math.sqrt(size), at(row, 2, head, j)])).out;
        });
        expect(most(found, wanted)).toBeLessThan(1e-5);
      });
  });

  it.each(shapes)('chunks and windows that reach over the whole row are full attention: %o', async (shape) => {
    await loadBackend(backend);
    const { rows, heads, size, columns } = shape;
    const values = draw('full', rows * columns * 3 * heads * size);
    tf.tidy(() => {
      const qkv = tf.tensor2d(values, [rows * columns, 3 * heads * size]);
      const full = selfAttention(qkv, rows, heads, attentionMask(columns, null), null).dataSync();
      expect(most(selfAttention(qkv, rows, heads, attentionMask(columns, columns), null), full)).toBe(0);
      // Two chunks see everything, by quite another way than one.
      for (const chunk of [columns, Math.ceil(columns / 2)])
        expect(most(localAttention(qkv, rows, heads, chunk, still), full)).toBeLessThan(1e-6);
    });
  });

  it.each(shapes)(
    'LSH attention with one bucket and one chunk is full attention with shared keys: %o',
    async (shape) => {
      await loadBackend(backend);
      const { rows, heads, size, columns } = shape;
      const values = draw('shared', rows * columns * 2 * heads * size, 2);
      const at = vectorsOf(values, columns, 2, heads, size);
      const settings = { chunk: columns, buckets: 1, rounds: 1, rotations: null };
      tf.tidy(() => {
        const qv = tf.tensor2d(values, [rows * columns, 2 * heads * size]);
        const found = lshAttention(qv, heads, new Array<number>(rows).fill(columns), settings);
        const wanted = rowsOf(shape, (row, head, t) => {
          const query = at(row, 0, head, t);
          if (t === 0) return at(row, 1, head, 0);
          return weighed(
            Array.from({ length: t }, (_, j) => {
              const key = at(row, 0, head, j);
              return [dot(query, key) / Math.sqrt(dot(key, key)), at(row, 1, head, j)];
            }),
          ).out;
        });
        expect(most(found, wanted)).toBeLessThan(1e-4);
      });
    },
  );

  it.each(shapes)('LSH attention sorts, cuts and combines as the paper says: %o', async (shape) => {
    await loadBackend(backend);
    const { rows, heads, size, columns } = shape;
    const values = draw('lsh', rows * columns * 2 * heads * size, 2);
    const lengths = Array.from({ length: rows }, (_, row) => Math.max(1, columns - 3 * row));
    const at = vectorsOf(values, columns, 2, heads, size);
    for (const { chunk, buckets, rounds } of [
      { chunk: 3, buckets: 2, rounds: 1 },
      { chunk: 4, buckets: 6, rounds: 3 },
      { chunk: 50, buckets: 4, rounds: 2 },
    ]) {
      const turns = draw('rotations', heads * size * rounds * (buckets / 2));
      const bucketOf = (query: number[], head: number, round: number) => {
        const turned = Array.from({ length: buckets / 2 }, (_, b) =>
          dot(
            query,
            query.map((_, i) => turns[(head * size + i) * rounds * (buckets / 2) + round * (buckets / 2) + b]),
          ),
        );
        const both = [...turned, ...turned.map((x) => -x)];
        return both.indexOf(Math.max(...both));
      };
      const wanted = rowsOf(shape, (row, head, t) => {
        if (t >= lengths[row]) return new Array<number>(size).fill(0);
        const query = at(row, 0, head, t);
        const each = Array.from({ length: rounds }, (_, round) => {
          const order = Array.from({ length: lengths[row] }, (_, j) => ({
            j,
            b: bucketOf(at(row, 0, head, j), head, round),
          }))
            .sort((x, y) => x.b - y.b || x.j - y.j)
            .map(({ j }) => j);
          const own = Math.floor(order.indexOf(t) / chunk);
          const near = order.filter((j, place) => j < t && [own, own - 1].includes(Math.floor(place / chunk)));
          if (near.length === 0) return { out: at(row, 1, head, t), amount: -1e5 };
          return weighed(
            near.map((j) => {
              const key = at(row, 0, head, j);
              return [dot(query, key) / Math.sqrt(dot(key, key)), at(row, 1, head, j)];
            }),
          );
        });
        return weighed(each.map(({ out, amount }) => [amount, out])).out;
      });
      tf.tidy(() => {
        const qv = tf.tensor2d(values, [rows * columns, 2 * heads * size]);
        const rotations = tf.tensor3d(turns, [heads, size, rounds * (buckets / 2)]);
        const found = lshAttention(qv, heads, lengths, { chunk, buckets, rounds, rotations }).dataSync();
        // What padding gets is nobody's concern.
        const worst = wanted.map((x, i) => {
          const place = Math.floor(i / (heads * size));
          return place % columns < lengths[Math.floor(place / columns)] ? Math.abs(found[i] - x) : 0;
        });
        expect(Math.max(...worst)).toBeLessThan(1e-4);
      });
    }
  });

  it.each(shapes)('causal FAVOR+ by running sums is its quadratic form: %o', async (shape) => {
    await loadBackend(backend);
    const { rows, heads, size, columns } = shape;
    const values = draw('favor', rows * columns * 3 * heads * size, 1.5);
    const at = vectorsOf(values, columns, 3, heads, size);
    const count = 9;
    const directions = orthogonalRows(count, size, seededRandom('directions'));
    for (const kernel of ['softmax', 'relu'] as const) {
      const features = (x: number[]) => {
        const scaled = x.map((value) => value * size ** -0.25);
        return Array.from({ length: count }, (_, f) => {
          const along = dot(scaled, Array.from(directions.subarray(f * size, (f + 1) * size)));
          return kernel === 'relu' ? Math.max(0, along) + 1e-3 : Math.exp(along - dot(scaled, scaled) / 2);
        });
      };
      const wanted = rowsOf(shape, (row, head, t) => {
        const query = features(at(row, 0, head, t));
        return weighed(
          Array.from({ length: t + 1 }, (_, j) => [dot(query, features(at(row, 1, head, j))), at(row, 2, head, j)]),
          false,
        ).out;
      });
      for (const chunk of [1, 3, 8, 64])
        tf.tidy(() => {
          const qkv = tf.tensor2d(values, [rows * columns, 3 * heads * size]);
          const found = favorAttention(qkv, rows, heads, tf.tensor2d(directions, [count, size]), kernel, chunk);
          expect(most(found, wanted)).toBeLessThan(2e-5);
        });
    }
  });

  it('FAVOR+ comes nearer to softmax attention the more features it has', async () => {
    await loadBackend(backend);
    const [rows, heads, size, columns] = [2, 2, 4, 21];
    const values = draw('near', rows * columns * 3 * heads * size, 0.8);
    const error = (count: number, draw: number) =>
      tf.tidy(() => {
        const qkv = tf.tensor2d(values, [rows * columns, 3 * heads * size]);
        const full = selfAttention(qkv, rows, heads, attentionMask(columns, null), null);
        const directions = orthogonalRows(count, size, seededRandom('near', count, draw));
        const found = favorAttention(qkv, rows, heads, tf.tensor2d(directions, [count, size]), 'softmax');
        return tf.mean(tf.square(tf.sub(found, full))).dataSync()[0];
      });
    // Over several draws: one may be lucky.
    const errors = [8, 64, 512].map((count) =>
      Math.sqrt([1, 2, 3, 4, 5, 6].reduce((sum, draw) => sum + error(count, draw) / 6, 0)),
    );
    for (let i = 1; i < errors.length; i++) expect(errors[i]).toBeLessThan(0.6 * errors[i - 1]);
  });

  it('leaves nothing behind', () => expect(tf.memory().numTensors).toBe(0));
});

it('random directions are orthogonal within a block and as long as normal vectors', () => {
  const [count, size] = [4003, 8];
  const rows = orthogonalRows(count, size, seededRandom('rows'));
  const row = (i: number) => Array.from(rows.subarray(i * size, (i + 1) * size));
  for (const i of [0, 9, 4000])
    for (let j = Math.floor(i / size) * size; j < i; j++)
      expect(Math.abs(dot(row(i), row(j)))).toBeLessThan(1e-5 * dot(row(i), row(i)));
  // The mean of the squares of a normal vector of 8 is 8, its variance 16.
  const mean = Array.from({ length: count }, (_, i) => dot(row(i), row(i))).reduce((sum, x) => sum + x, 0) / count;
  expect(Math.abs(mean - size)).toBeLessThan(4 * Math.sqrt((2 * size) / count));
});
