import * as tf from '@tensorflow/tfjs-core';

/** Pads the third axis of x [A, B, T, w] with zeros to a multiple of `chunk` and cuts it: [A * B, n, chunk, w]. */
export function inChunks(x: tf.Tensor4D, chunk: number): tf.Tensor4D {
  const [a, b, columns, width] = x.shape;
  const count = Math.ceil(columns / chunk);
  return tf.reshape(padded(x, count * chunk), [a * b, count, chunk, width]);
}

/** The way back of inChunks, what was padded left out: [A, B, T, w]. */
export function outOfChunks(x: tf.Tensor4D, outer: number, columns: number): tf.Tensor4D {
  const [groups, count, chunk, width] = x.shape;
  const whole = tf.reshape(x, [outer, groups / outer, count * chunk, width]) as tf.Tensor4D;
  return count * chunk === columns
    ? whole
    : tf.slice<tf.Rank.R4, tf.Tensor4D>(whole, [0, 0, 0, 0], [-1, -1, columns, -1]);
}

/** x [A, B, T, w] with zeros after its third axis up to `columns`. */
export function padded(x: tf.Tensor4D, columns: number): tf.Tensor4D {
  if (x.shape[2] === columns) return x;
  return tf.pad(x, [
    [0, 0],
    [0, 0],
    [0, columns - x.shape[2]],
    [0, 0],
  ]);
}

/** Each chunk of x [G, n, C, w] behind the one before it, zeros before the first: [G, n, 2C, w]. */
export function withPrevious(x: tf.Tensor4D, before?: tf.Tensor4D): tf.Tensor4D {
  const [groups, count, chunk, width] = x.shape;
  const first = before ?? tf.zeros<tf.Rank.R4>([groups, 1, chunk, width]);
  const earlier =
    count > 1 ? tf.concat([first, tf.slice(x, [0, 0, 0, 0], [groups, count - 1, chunk, width])], 1) : first;
  return tf.concat([earlier, x], 2);
}

/** The gradient of withPrevious: what each chunk gets as itself and as the one before the next. */
export function foldPrevious(dy: tf.Tensor4D): tf.Tensor4D {
  const [groups, count, double, width] = dy.shape;
  const chunk = double / 2;
  const own = tf.slice(dy, [0, 0, chunk, 0], [groups, count, chunk, width]);
  if (count === 1) return own;
  const asPrevious = tf.slice(dy, [0, 1, 0, 0], [groups, count - 1, chunk, width]);
  return tf.add(
    own,
    tf.pad(asPrevious, [
      [0, 0],
      [0, 1],
      [0, 0],
      [0, 0],
    ]),
  );
}
