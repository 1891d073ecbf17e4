import * as tf from '@tensorflow/tfjs-core';
import type { MatrixBlock } from '../../../../models/parameters.ts';
import type { MuonSettings } from '../../../engine.ts';
import type { Moments } from './adamw.ts';

const ITERATIONS = 5;
/** The quintic's coefficients of Jordan et al. 2024: steep at zero, singular values end between about 0.7 and 1.2. */
const [A, B, C] = [3.4445, -4.775, 2.0315];

/**
 * One update by Muon (engine.ts) of a parameter that consists of matrices; `factor` clips the gradient first.
 * The second moment is passed on untouched.
 */
export function muonUpdate(
  parameter: tf.Tensor,
  gradient: tf.Tensor,
  { m, v }: Moments,
  factor: tf.Scalar,
  { learningRate, momentum, weightDecay }: MuonSettings,
  matrices: readonly MatrixBlock[],
): { parameter: tf.Tensor } & Moments {
  return tf.tidy(() => {
    const fresh = tf.mul(gradient, tf.mul(factor, 1 - momentum));
    const nextM = tf.add(tf.mul(m, momentum), fresh);
    const nesterov = tf.add(fresh, tf.mul(nextM, momentum)) as tf.Tensor2D;
    const kept = tf.mul(parameter, 1 - learningRate * weightDecay);
    const next = matrices.reduce(
      (sum: tf.Tensor, block) => tf.sub(sum, tf.mul(step(nesterov, block), learningRate)),
      kept,
    );
    return { parameter: next, m: nextM, v: tf.clone(v) };
  });
}

/** The orthogonalised, scaled step of one matrix, in its place in a parameter of zeros. */
function step(all: tf.Tensor2D, { offset, rows, columns, stride, outputs, inputs }: MatrixBlock): tf.Tensor2D {
  return tf.tidy(() => {
    const [top, left] = [Math.floor(offset / stride), offset % stride];
    const [height, width] = all.shape;
    const block = orthogonal(tf.slice(all, [top, left], [rows, columns]));
    return tf.pad(tf.mul(block, Math.sqrt(Math.max(1, outputs / inputs))) as tf.Tensor2D, [
      [top, height - top - rows],
      [left, width - left - columns],
    ]);
  });
}

/** About U V^T of a matrix U S V^T, by a Newton-Schulz iteration (Jordan et al. 2024). */
function orthogonal(matrix: tf.Tensor2D): tf.Tensor2D {
  const tall = matrix.shape[0] > matrix.shape[1];
  const norm = tf.sqrt(tf.sum(tf.sum(tf.square(matrix), 1)));
  let x = tf.div(tall ? tf.transpose(matrix) : matrix, tf.add(norm, 1e-7)) as tf.Tensor2D;
  for (let i = 0; i < ITERATIONS; i++) {
    const gram = tf.matMul(x, x, false, true);
    const bent = tf.add(tf.mul(gram, B), tf.mul(tf.matMul(gram, gram), C)) as tf.Tensor2D;
    x = tf.add(tf.mul(x, A), tf.matMul(bent, x));
  }
  return tall ? tf.transpose(x) : x;
}
