import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { selfAttention } from './attention.ts';
import { loadBackend } from './backend.ts';
import { crossEntropy } from './cross-entropy.ts';
import { dropped } from './dropout.ts';
import { embed } from './embedding.ts';
import { causalMask } from './forward.ts';
import { gelu } from './gelu.ts';
import { layerNorm } from './layer-norm.ts';
import { linear, residual, tiedHead } from './linear.ts';
import { oneHotRows } from './one-hot.ts';

const random = seededRandom('gradients');
const draw = (...shape: number[]): tf.Tensor =>
  tf.tensor(
    Float32Array.from({ length: tf.util.sizeFromShape(shape) }, () => random.normal()),
    shape,
  );

/** A function of some tensors to check, made inside a tidy. */
interface Case {
  name: string;
  inputs: () => tf.Tensor[];
  run: (...inputs: tf.Tensor[]) => tf.Tensor;
}

const t2 = (x: tf.Tensor) => x as tf.Tensor2D;
const t1 = (x: tf.Tensor) => x as tf.Tensor1D;
const cases: Case[] = [
  { name: 'linear', inputs: () => [draw(6, 5), draw(5, 7), draw(7)], run: (x, w, b) => linear(t2(x), t2(w), t1(b)) },
  { name: 'tied head', inputs: () => [draw(6, 5), draw(9, 5)], run: (x, w) => tiedHead(t2(x), t2(w)) },
  { name: 'residual', inputs: () => [draw(6, 5), draw(6, 5)], run: (a, b) => residual(t2(a), t2(b)) },
  {
    name: 'layer norm',
    inputs: () => [draw(6, 8), draw(8), draw(8)],
    run: (x, g, b) => layerNorm(t2(x), t1(g), t1(b)),
  },
  { name: 'GELU', inputs: () => [draw(6, 8)], run: (x) => gelu(x) },
  {
    name: 'cross-entropy',
    inputs: () => [draw(4, 6)],
    run: (x) => crossEntropy(t2(x), oneHotRows(Int32Array.of(3, -1, 0, 5), 6), 3),
  },
  {
    name: 'embedding',
    inputs: () => [draw(7, 4), draw(5, 4)],
    run: (w, p) => embed(oneHotRows(Int32Array.of(1, 2, 1, 6, 0, 2), 7), t2(w), t2(p), 3),
  },
  {
    name: 'dropout',
    inputs: () => [draw(2, 6)],
    run: (x) => dropped(t2(x), t2(tf.tensor([0, 2, 2, 0, 2, 2, 2, 2, 0, 2, 0, 2], [2, 6]))),
  },
  {
    name: 'attention',
    inputs: () => [draw(2 * 5, 3 * 6)],
    run: (x) => selfAttention(t2(x), 2, 3, causalMask(5), null),
  },
  {
    name: 'attention with dropout',
    inputs: () => [draw(2 * 4, 3 * 6)],
    run: (x) =>
      selfAttention(
        t2(x),
        2,
        2,
        causalMask(4),
        tf.tensor(
          Float32Array.from({ length: 64 }, (_, i) => (i % 3 ? 1.5 : 0)),
          [2, 2, 4, 4],
        ) as tf.Tensor4D,
      ),
  },
];

/** Sum of products in float64. */
function dot(a: tf.Tensor, b: tf.Tensor): number {
  const [x, y] = [a.dataSync(), b.dataSync()];
  return Array.from(x).reduce((sum, value, i) => sum + value * y[i], 0);
}

describe.each(['cpu', 'wasm'] as const)('gradients on %s', (backend) => {
  it.each(cases)('of $name are the slopes of its values', async ({ inputs, run }) => {
    await loadBackend(backend);
    tf.tidy(() => {
      const at = inputs();
      const weights = draw(...run(...at).shape);
      const value = (...x: tf.Tensor[]) => dot(run(...x), weights);
      const gradients = tf.grads((...x) => run(...x))(at, tf.clone(weights));
      at.forEach((input, i) => {
        const direction = draw(...input.shape);
        const moved = (h: number) => value(...at.map((x, j) => (j === i ? tf.add(x, tf.mul(direction, h)) : x)));
        // Five-point stencil: error of order h^4 against about 1e-6 / h of float32's rounding.
        const h = 0.02;
        const slope = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
        const found = dot(gradients[i], direction);
        expect(Math.abs(found - slope) / Math.max(1, Math.abs(slope))).toBeLessThan(1e-3);
      });
    });
    expect(tf.memory().numTensors).toBe(0);
  });
});
