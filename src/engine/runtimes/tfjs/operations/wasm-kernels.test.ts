import * as tf from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../base/random.ts';
import { loadBackend } from '../backend.ts';

const random = seededRandom('wasm kernels');
const draw = (shape: number[]) =>
  tf.tensor(
    Float32Array.from({ length: tf.util.sizeFromShape(shape) }, () => random.normal()),
    shape,
  );

/** a [count, m, k] b [count, k, n] by the definition, read through the transposes. */
function slowProduct(
  a: tf.Tensor,
  b: tf.Tensor,
  size: { count: number; m: number; k: number; n: number },
  ta: boolean,
  tb: boolean,
): number[] {
  const { count, m, k, n } = size;
  const [x, y] = [a.dataSync(), b.dataSync()];
  const sharedB = y.length === k * n;
  const out: number[] = [];
  for (let i = 0; i < count; i++)
    for (let r = 0; r < m; r++)
      for (let c = 0; c < n; c++) {
        let sum = 0;
        for (let j = 0; j < k; j++)
          sum +=
            x[i * m * k + (ta ? j * m + r : r * k + j)] * y[(sharedB ? 0 : i * k * n) + (tb ? c * k + j : j * n + c)];
        out.push(sum);
      }
  return out;
}

describe('products on wasm', () => {
  beforeAll(() => loadBackend('wasm'));

  it('agree with the definition in every form and many shapes', () => {
    for (let round = 0; round < 60; round++) {
      const size = {
        count: 1 + random.below(4),
        m: 1 + random.below(20),
        k: 1 + random.below(20),
        n: 1 + random.below(20),
      };
      const { count, m, k, n } = size;
      for (const [ta, tb] of [
        [false, false],
        [true, false],
        [false, true],
        [true, true],
      ])
        for (const sharedB of [false, true])
          tf.tidy(() => {
            const a = draw([count, ...(ta ? [k, m] : [m, k])]);
            const b = draw([...(sharedB ? [1] : [count]), ...(tb ? [n, k] : [k, n])]);
            const found = tf.matMul(a, b, ta, tb);
            expect(found.shape).toEqual([count, m, n]);
            const wanted = slowProduct(a, b, size, ta, tb);
            found.dataSync().forEach((value, i) => expect(Math.abs(value - wanted[i])).toBeLessThan(1e-4));
          });
    }
    expect(tf.memory().numTensors).toBe(0);
  });

  it('do not mix up a tensor and its reshaped self as the right factor', () => {
    tf.tidy(() => {
      const b = draw([6, 4]);
      const reshaped = tf.reshape(b, [3, 8]);
      tf.matMul(tf.ones([1, 6]) as tf.Tensor2D, b as tf.Tensor2D);
      const found = tf.matMul(tf.ones([1, 3]) as tf.Tensor2D, reshaped as tf.Tensor2D);
      const values = b.dataSync();
      found.dataSync().forEach((value, c) => expect(value).toBeCloseTo(values[c] + values[c + 8] + values[c + 16], 5));
    });
  });

  it('read slices from any place', () => {
    tf.tidy(() => {
      const x = tf.tensor(
        Float32Array.from({ length: 60 }, (_, i) => i),
        [5, 4, 3],
      );
      expect([...tf.slice(x, [2, 0, 0], [1, 4, 3]).dataSync()]).toEqual(Array.from({ length: 12 }, (_, i) => 24 + i));
      expect([...tf.slice(x, [1, 1, 1], [2, 2, 1]).dataSync()]).toEqual([16, 19, 28, 31]);
    });
  });
});
