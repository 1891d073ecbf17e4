import * as tf from '@tensorflow/tfjs-core';
import { lstmHead, lstmName, lstmSlotEmbedding, lstmTokenEmbedding, type LstmConfig } from '../../../../models/lstm.ts';
import { dropped } from '../operations/dropout.ts';
import { lookUp } from '../operations/embedding.ts';
import type { Inputs } from './inputs.ts';
import { addBias, linearTransposed, residual } from '../operations/linear.ts';
import type { Memory, Network, Parameters } from './network.ts';
import { lstmLayer, unroll, type LstmWeights, type State } from '../operations/recurrence.ts';

/** The LSTM as src/models/lstm.ts describes it. */
export function lstm(config: LstmConfig): Network {
  const { layers, width, truncation = null } = config;

  function embedded(p: Parameters, { oneHot, slots }: Inputs): tf.Tensor2D {
    const x = lookUp(oneHot, p.get(lstmTokenEmbedding) as tf.Tensor2D);
    return slots ? residual(x, lookUp(slots, p.get(lstmSlotEmbedding) as tf.Tensor2D)) : x;
  }

  const weightsOf = (p: Parameters, layer: number) =>
    (['weight_ih', 'weight_hh', 'bias_ih', 'bias_hh'] as const).map((what) =>
      p.get(lstmName(what, layer)),
    ) as LstmWeights;

  const head = (p: Parameters, x: tf.Tensor2D): tf.Tensor2D =>
    addBias(
      linearTransposed(x, [p.get(`${lstmHead}.weight`) as tf.Tensor2D]),
      p.get(`${lstmHead}.bias`) as tf.Tensor1D,
    );

  /** Outputs [B * T, d] of the last layer, `drop` on the embedding and between the layers. */
  function outputs(p: Parameters, inputs: Inputs, drop: (x: tf.Tensor2D) => tf.Tensor2D): tf.Tensor2D {
    let x = drop(embedded(p, inputs));
    for (let layer = 0; layer < layers; layer++) {
      x = lstmLayer(x, weightsOf(p, layer), inputs.rows, truncation);
      if (layer < layers - 1) x = drop(x);
    }
    return x;
  }

  /** Hidden and cell state of each layer after the last token of each row, [B, d]. To be called in a tidy. */
  function states(p: Parameters, inputs: Inputs, lengths: readonly number[], before: Memory | null): State[] {
    const { rows, columns } = inputs;
    const ends = tf.tensor1d(
      lengths.map((length, row) => (length - 1) * rows + row),
      'int32',
    );
    const atEnds = (x: tf.Tensor3D) => tf.gather(tf.reshape(x, [columns * rows, width]), ends) as tf.Tensor2D;
    let x = embedded(p, inputs);
    return Array.from({ length: layers }, (_, layer): State => {
      const start = (before?.[layer] ?? [tf.zeros([rows, width]), tf.zeros([rows, width])]) as State;
      const { out, cells } = unroll(x, weightsOf(p, layer), rows, start);
      x = tf.reshape(tf.transpose(out, [1, 0, 2]), [rows * columns, width]);
      return [atEnds(out), atEnds(cells)];
    });
  }

  return {
    trainingLogits: (p, inputs, dropout) =>
      head(
        p,
        outputs(p, inputs, (x) => dropped(x, dropout.mask<tf.Rank.R2>([x.shape[0], x.shape[1]]))),
      ),

    logits: (p, inputs) =>
      tf.tidy(() =>
        head(
          p,
          outputs(p, inputs, (x) => x),
        ),
      ),

    leafLogits(p, { inputs, lengths, leaves, most }) {
      const [roots, ends] = tf.tidy(() => {
        const after = states(p, inputs, lengths, null);
        const roots = head(p, after[layers - 1][0]);
        if (!leaves) return [roots];
        // Every leaf goes on alone from its prefix's state.
        const owners = Array.from({ length: inputs.rows * most }, (_, i) => Math.floor(i / most));
        const own = tf.tensor1d(owners, 'int32');
        const before = after.map(([h, c]) => [tf.gather(h, own), tf.gather(c, own)] as const);
        const ones = new Array<number>(owners.length).fill(1);
        const single = { ...leaves, rows: owners.length, columns: 1, lengths: ones };
        const last = states(p, single, ones, before)[layers - 1][0];
        return [roots, head(p, last)];
      });
      return { roots, ends: ends ?? null };
    },

    extend(p, inputs, memory) {
      const [next, ...flat] = tf.tidy(() => {
        const after = states(p, inputs, [inputs.columns], memory);
        return [head(p, after[layers - 1][0]), ...after.flat()];
      });
      return { next, memory: Array.from({ length: layers }, (_, i) => [flat[2 * i], flat[2 * i + 1]] as const) };
    },
  };
}
