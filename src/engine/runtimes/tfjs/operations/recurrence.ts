import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';
import { sumRows } from './linear.ts';

/** Hidden and cell state, each [B, d]. */
export type State = readonly [tf.Tensor2D, tf.Tensor2D];

/** What a layer made of each token, time first: gates i, f, g, o after activation [T, B, 4d], cells and outputs [T, B, d]. */
interface Unrolled {
  gates: tf.Tensor3D;
  cells: tf.Tensor3D;
  out: tf.Tensor3D;
}

/** Weights of one layer as nn.LSTM keeps them: two matrices [4d, d] and two biases [4d], gates in the order i, f, g, o. */
export type LstmWeights = [tf.Tensor2D, tf.Tensor2D, tf.Tensor1D, tf.Tensor1D];

/** One layer over rows x [B * T, d] from a state; tokens are read one after another. */
export function unroll(x: tf.Tensor2D, [wIn, wState, bIn, bState]: LstmWeights, rows: number, start: State): Unrolled {
  return tf.tidy(() => {
    // Not tf.fused.matMul: with a transposed weight its WASM kernel adds the wrong bias.
    const inputs = timeFirst(tf.add(tf.matMul(x, wIn, false, true), tf.add(bIn, bState)) as tf.Tensor2D, rows);
    const gates: tf.Tensor2D[] = [];
    const cells: tf.Tensor2D[] = [];
    const out: tf.Tensor2D[] = [];
    let [h, c] = start;
    for (const input of tf.unstack(inputs) as tf.Tensor2D[]) {
      const [activated, cell, hidden] = tf.tidy(() => {
        const [i, f, g, o] = tf.split(tf.add(input, tf.matMul(h, wState, false, true)), 4, 1);
        const active = [tf.sigmoid(i), tf.sigmoid(f), tanh(g), tf.sigmoid(o)];
        const cell = tf.add(tf.mul(active[1], c), tf.mul(active[0], active[2])) as tf.Tensor2D;
        return [tf.concat(active, 1) as tf.Tensor2D, cell, tf.mul(active[3], tanh(cell)) as tf.Tensor2D];
      });
      gates.push(activated);
      cells.push(cell);
      out.push(hidden);
      [h, c] = [hidden, cell];
    }
    return { gates: stacked(gates), cells: stacked(cells), out: stacked(out) };
  });
}

/**
 * One layer over whole rows x [B * T, d] from a state of zeros, with its gradient by backpropagation through time, which
 * goes no further back than to the last multiple of `truncation`, or to the beginning where that is null.
 */
export function lstmLayer(
  x: tf.Tensor2D,
  weights: LstmWeights,
  rows: number,
  truncation: number | null = null,
): tf.Tensor2D {
  const width = weights[1].shape[1];
  const zeros = () => tf.zeros<tf.Rank.R2>([rows, width]);
  return differentiable<tf.Tensor2D, tf.Tensor[]>([x, ...weights], () => {
    const { gates, cells, out } = unroll(x, weights, rows, [zeros(), zeros()]);
    return {
      value: rowsFirst(out),
      saved: [gates, cells, out, x, weights[0], weights[1]],
      gradient: (dy, ...saved) => {
        const [gates, cells, out] = saved as [tf.Tensor3D, tf.Tensor3D, tf.Tensor3D];
        const [x, wIn, wState] = saved.slice(3) as [tf.Tensor2D, tf.Tensor2D, tf.Tensor2D];
        const dGates = gateGradients(timeFirst(dy, rows), gates, cells, wState, truncation);
        const before = tf.concat([tf.expandDims(zeros(), 0), tf.slice(out, 0, out.shape[0] - 1)], 0) as tf.Tensor3D;
        const d = rowsFirst(dGates);
        const dBias = sumRows(d);
        return [
          tf.matMul(d, wIn),
          tf.matMul(d, x, true, false),
          tf.matMul(d, rowsFirst(before), true, false),
          dBias,
          tf.clone(dBias),
        ];
      },
    };
  });
}

/** Gradients of the gates before activation, [T, B, 4d], from those of the outputs, [T, B, d]. */
function gateGradients(
  dOut: tf.Tensor3D,
  gates: tf.Tensor3D,
  cells: tf.Tensor3D,
  wState: tf.Tensor2D,
  truncation: number | null,
): tf.Tensor3D {
  const [steps, rows, width] = dOut.shape;
  const at = (x: tf.Tensor3D, t: number) => tf.reshape(tf.slice(x, t, 1), [rows, x.shape[2]]) as tf.Tensor2D;
  const found = new Array<tf.Tensor2D>(steps);
  let dState = tf.zeros<tf.Rank.R2>([rows, width]);
  let dCell = tf.zeros<tf.Rank.R2>([rows, width]);
  for (let t = steps - 1; t >= 0; t--) {
    const [laterState, laterCell] = [dState, dCell];
    [found[t], dState, dCell] = tf.tidy(() => {
      const [i, f, g, o] = tf.split(at(gates, t), 4, 1);
      const squashed = tanh(at(cells, t));
      const dh = tf.add(at(dOut, t), laterState);
      const dc = tf.add(laterCell, tf.mul(tf.mul(dh, o), sub1(tf.square(squashed))));
      const parts = [
        tf.mul(tf.mul(dc, g), sigmoidSlope(i)),
        t > 0 ? tf.mul(tf.mul(dc, at(cells, t - 1)), sigmoidSlope(f)) : tf.zerosLike(f),
        tf.mul(tf.mul(dc, i), sub1(tf.square(g))),
        tf.mul(tf.mul(dh, squashed), sigmoidSlope(o)),
      ];
      const d = tf.concat(parts, 1) as tf.Tensor2D;
      // The state before a boundary is a constant, which has no gradient.
      if (truncation !== null && t % truncation === 0) return [d, tf.zerosLike(f), tf.zerosLike(f)] as tf.Tensor2D[];
      return [d, tf.matMul(d, wState), tf.mul(dc, f) as tf.Tensor2D];
    });
    tf.dispose([laterState, laterCell]);
  }
  return stacked(found);
}

const sub1 = (x: tf.Tensor): tf.Tensor => tf.sub(1, x);
const sigmoidSlope = (s: tf.Tensor): tf.Tensor => tf.mul(s, tf.sub(1, s));
/** By sigmoid, which is vectorised on WASM where tanh is not (gelu.ts). */
const tanh = (x: tf.Tensor): tf.Tensor => tf.sub(tf.mul(tf.sigmoid(tf.mul(x, 2)), 2), 1);
const stacked = (list: tf.Tensor2D[]) => tf.stack(list) as tf.Tensor3D;

/** Rows [B * T, C] as [T, B, C]. */
function timeFirst(x: tf.Tensor2D, rows: number): tf.Tensor3D {
  return tf.transpose(tf.reshape(x, [rows, x.shape[0] / rows, x.shape[1]]), [1, 0, 2]);
}

/** [T, B, C] as rows [B * T, C]. */
function rowsFirst(x: tf.Tensor3D): tf.Tensor2D {
  const [steps, rows, columns] = x.shape;
  return tf.reshape(tf.transpose(x, [1, 0, 2]), [rows * steps, columns]);
}
