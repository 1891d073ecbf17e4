import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';
import { sumRows } from './linear.ts';
import { rootMeanSquare, rootMeanSquareGradient } from './rms-norm.ts';

/** Cosines and sines of the angles by which positions turn the pairs of a head, each [N, 1, half]. */
export interface Rotation {
  cosines: tf.Tensor3D;
  sines: tf.Tensor3D;
}

/** Pair i of a head `size` wide turns by position * base^(-2i / size) (Su et al. 2021, section 3.2.2). */
export function rotation(positions: Int32Array, size: number, base: number): Rotation {
  const half = size / 2;
  const table = (wave: (angle: number) => number) => {
    const values = Float32Array.from({ length: positions.length * half }, (_, k) =>
      wave(positions[Math.floor(k / half)] * base ** ((-2 * (k % half)) / size)),
    );
    return tf.tensor3d(values, [positions.length, 1, half]);
  };
  return { cosines: table(Math.cos), sines: table(Math.sin) };
}

/**
 * Queries and keys of each head normalised, scaled by their shared gains [head width] and turned by their position, the
 * values untouched. Pairs are i and i + half, as Hugging Face has them.
 * @param qkv [N, 3d]: queries, keys and values, each [heads, head width]
 * @param epsilon of the norms
 */
export function rotary(
  qkv: tf.Tensor2D,
  queryGain: tf.Tensor1D,
  keyGain: tf.Tensor1D,
  { cosines, sines }: Rotation,
  epsilon: number,
): tf.Tensor2D {
  const [rows, columns] = qkv.shape;
  const width = columns / 3;
  const size = queryGain.shape[0];
  const heads = width / size;
  /** [2 * heads, size]: one row of gains a head, queries first. */
  const gains = (query: tf.Tensor1D, key: tf.Tensor1D) =>
    tf.concat([tf.tile(tf.reshape(query, [1, size]), [heads, 1]), tf.tile(tf.reshape(key, [1, size]), [heads, 1])], 0);
  const byHead = (x: tf.Tensor2D): tf.Tensor3D =>
    tf.reshape(tf.slice(x, [0, 0], [rows, 2 * width]), [rows, 2 * heads, size]);
  const withValues = (x: tf.Tensor3D, from: tf.Tensor2D): tf.Tensor2D =>
    tf.concat([tf.reshape(x, [rows, 2 * width]), tf.slice(from, [0, 2 * width], [rows, width])], 1);

  return differentiable<tf.Tensor2D, tf.Tensor[]>([qkv, queryGain, keyGain], () => {
    const { normal, inverse } = rootMeanSquare(byHead(qkv), epsilon);
    const turned = turn(tf.mul(normal, gains(queryGain, keyGain)) as tf.Tensor3D, cosines, sines);
    return {
      value: withValues(turned, qkv),
      saved: [normal, inverse, queryGain, keyGain, cosines, sines],
      gradient: (dy, ...saved) => {
        const [normal, inverse] = saved as [tf.Tensor3D, tf.Tensor3D];
        const [queryGain, keyGain] = saved.slice(2) as [tf.Tensor1D, tf.Tensor1D];
        const [cosines, sines] = saved.slice(4) as [tf.Tensor3D, tf.Tensor3D];
        // A turn by the opposite angle is the transpose of a turn.
        const dScaled = turn(byHead(dy), cosines, tf.neg(sines));
        const dGains = tf.reshape(sumRows(tf.reshape(tf.mul(dScaled, normal), [rows, 2 * width])), [2, heads, size]);
        const [dQuery, dKey] = tf.unstack(tf.sum(dGains, 1)); // [size] each
        const dNormal = tf.mul(dScaled, gains(queryGain, keyGain));
        return [withValues(rootMeanSquareGradient(dNormal, normal, inverse), dy), dQuery, dKey];
      },
    };
  });
}

/** x [N, heads, size] with each pair (i, i + half) turned. */
function turn(x: tf.Tensor3D, cosines: tf.Tensor3D, sines: tf.Tensor3D): tf.Tensor3D {
  const [a, b] = tf.split(x, 2, 2);
  return tf.concat(
    [tf.sub(tf.mul(a, cosines), tf.mul(b, sines)), tf.add(tf.mul(b, cosines), tf.mul(a, sines))],
    2,
  ) as tf.Tensor3D;
}
