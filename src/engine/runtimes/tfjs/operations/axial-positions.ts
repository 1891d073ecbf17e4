import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';
import { oneHotRows } from './one-hot.ts';

/**
 * Axial positions (Kitaev et al. 2020, "Reformer", appendix; Ho et al. 2019): the first `columns` places of a grid, read
 * row by row; a place has the vector of its row beside that of its column.
 * @param rows [R, first]
 * @param across [C, second]
 * @returns [columns, first + second]
 */
export function axialPositions(rows: tf.Tensor2D, across: tf.Tensor2D, columns: number): tf.Tensor2D {
  const grid = across.shape[0];
  const first = rows.shape[1];
  const places = Int32Array.from({ length: columns }, (_, t) => t);
  // Products and not look-ups, for the reason that embed has.
  const ofRow = oneHotRows(
    places.map((t) => Math.floor(t / grid)),
    rows.shape[0],
  );
  const ofColumn = oneHotRows(
    places.map((t) => t % grid),
    grid,
  );
  return differentiable([rows, across], () => ({
    value: tf.concat([tf.matMul(ofRow, rows), tf.matMul(ofColumn, across)], 1) as tf.Tensor2D,
    saved: [ofRow, ofColumn],
    gradient: (dy: tf.Tensor2D, ofRow: tf.Tensor2D, ofColumn: tf.Tensor2D) => [
      tf.matMul(ofRow, tf.slice(dy, [0, 0], [columns, first]), true, false),
      tf.matMul(ofColumn, tf.slice(dy, [0, first], [columns, -1]), true, false),
    ],
  }));
}
