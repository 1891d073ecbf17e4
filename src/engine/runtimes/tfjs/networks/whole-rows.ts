import * as tf from '@tensorflow/tfjs-core';
import { dropped, Dropout } from '../operations/dropout.ts';
import type { Inputs } from './inputs.ts';
import { tiedHead } from '../operations/linear.ts';
import type { LeafPass, Network, Parameters } from './network.ts';
import type { Block } from './transformer.ts';

/** A transformer whose attention has no keys and values worth keeping from one token to the next. */
export interface RowFamily {
  layers: number;
  context: number;
  /** Name of the token embedding, to which the head is tied. */
  head: string;
  /** Embedded rows [B * T, d] before dropout, and the layers; every row starts at position 0. */
  begin(p: Parameters, inputs: Inputs): { x: tf.Tensor2D; block: Block };
  /** Attention of one layer, from its projection to the merged heads [B * T, d]. */
  attention(p: Parameters, projected: tf.Tensor2D, layer: number, inputs: Inputs, dropout: Dropout): tf.Tensor2D;
  finalNorm(p: Parameters, x: tf.Tensor2D): tf.Tensor2D;
}

/**
 * A network that reads rows as wholes: every answer is one more pass over the row that it is asked for, so that a leaf
 * costs as much as its prefix. What it remembers of a sequence is the sequence. The running sums of FAVOR+ and the
 * chunks of local attention could go on from where they were; LSH attention could not, since its order is the row's.
 */
export function wholeRowsNetwork(family: RowFamily): Network {
  const head = (p: Parameters, hidden: tf.Tensor2D) => tiedHead(hidden, p.get(family.head) as tf.Tensor2D);

  /** Hidden rows [B * T, d] in inference. To be called in a tidy. */
  function hiddenRows(p: Parameters, inputs: Inputs): tf.Tensor2D {
    const { x: embedded, block } = family.begin(p, inputs);
    const still = new Dropout(0, 0);
    let x = embedded;
    for (let layer = 0; layer < family.layers; layer++) {
      const input = x;
      x = tf.tidy(() =>
        block(
          layer,
          input,
          (y) => family.attention(p, y, layer, inputs, still),
          (y) => y,
        ),
      );
      input.dispose();
    }
    return family.finalNorm(p, x);
  }

  /** Logits [B, V] of the last token of each row. To be called in a tidy. */
  function lastLogits(p: Parameters, inputs: Inputs): tf.Tensor2D {
    const ends = Int32Array.from({ length: inputs.rows }, (_, row) => row * inputs.columns + inputs.lengths[row] - 1);
    return head(p, tf.gather(hiddenRows(p, inputs), tf.tensor1d(ends, 'int32')));
  }

  return {
    trainingLogits(p, inputs, dropout) {
      const drop = (x: tf.Tensor2D) => dropped(x, dropout.mask<tf.Rank.R2>([x.shape[0], x.shape[1]]));
      const { x: embedded, block } = family.begin(p, inputs);
      let x = drop(embedded);
      for (let layer = 0; layer < family.layers; layer++)
        x = block(layer, x, (y) => family.attention(p, y, layer, inputs, dropout), drop);
      return head(p, family.finalNorm(p, x));
    },

    logits: (p, inputs) => tf.tidy(() => head(p, hiddenRows(p, inputs))),

    leafLogits(p, { inputs, leaves, most }) {
      const roots = tf.tidy(() => lastLogits(p, inputs));
      if (!leaves) return { roots, ends: null };
      const ends = tf.tidy(() => {
        const each = Array.from({ length: most }, (_, leaf) =>
          tf.tidy(() => lastLogits(p, withLeaf(inputs, leaves, leaf, family.context))),
        );
        return tf.reshape(tf.stack(each, 1), [inputs.rows * most, -1]) as tf.Tensor2D;
      });
      return { roots, ends };
    },

    extend(p, inputs, memory) {
      const oneHot = after(memory?.[0][0], inputs.oneHot);
      const slots = inputs.slots && after(memory?.[0][1], inputs.slots);
      const columns = oneHot.shape[0];
      const next = tf.tidy(() => lastLogits(p, { oneHot, slots, rows: 1, columns, lengths: [columns] }));
      return { next, memory: [[oneHot, slots ?? tf.zeros([1])]] };
    },
  };
}

/** What was read before, where there is any, and what is new, as one. */
function after(before: tf.Tensor | undefined, fresh: tf.Tensor2D): tf.Tensor2D {
  return before ? tf.concat([before as tf.Tensor2D, fresh], 0) : tf.clone(fresh);
}

/** Each prefix with its leaf number `leaf` behind it; where it has none, nothing that is read stands there. */
function withLeaf(prefixes: Inputs, leaves: NonNullable<LeafPass['leaves']>, leaf: number, context: number): Inputs {
  const { rows, lengths } = prefixes;
  // A prefix as long as the context has no leaf, and its rows can stay as they are.
  const columns = Math.min(prefixes.columns + 1, context);
  const at = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) if (lengths[row] < columns) at[row * columns + lengths[row]] = 1;
  const place = tf.tensor3d(at, [rows, columns, 1]);
  const extended = (before: tf.Tensor2D, own: tf.Tensor2D) => {
    const width = before.shape[1];
    const all = tf.pad(tf.reshape(before, [rows, prefixes.columns, width]), [
      [0, 0],
      [0, columns - prefixes.columns],
      [0, 0],
    ]);
    const one = tf.slice(tf.reshape(own, [rows, own.shape[0] / rows, width]), [0, leaf, 0], [rows, 1, width]);
    return tf.reshape(tf.add(all, tf.mul(place, one)), [rows * columns, width]) as tf.Tensor2D;
  };
  return {
    oneHot: extended(prefixes.oneHot, leaves.oneHot),
    slots: prefixes.slots && leaves.slots && extended(prefixes.slots, leaves.slots),
    rows,
    columns,
    lengths: Array.from({ length: rows }, (_, row) => Math.min(lengths[row] + 1, columns)),
  };
}
