import * as tf from '@tensorflow/tfjs-core';
import type { LstmConfig } from '../../src/models/lstm.ts';
import type { StockModel } from './stock.ts';

/**
 * nn.LSTM's recurrence (gates i, f, g, o; weights [4d, in]) unrolled step by step, as tf.basicLSTMCell would be, with
 * the input's share of the gates taken out of the loop as one product a layer.
 */
export const stockLstmLogits: StockModel = (workload, variables, oneHot) => {
  const { rows, columns } = workload;
  const { layers, width: d } = workload.model as LstmConfig;
  const matrix = (name: string) => variables.get(name) as unknown as tf.Tensor2D;
  let x = tf.matMul(oneHot, matrix('embedding.weight')); // [B * T, d]
  for (let layer = 0; layer < layers; layer++) {
    const share = tf.matMul(x, matrix(`lstm.weight_ih_l${layer}`), false, true);
    const biases = tf.add(matrix(`lstm.bias_ih_l${layer}`), matrix(`lstm.bias_hh_l${layer}`));
    const gates = tf.unstack(tf.reshape(tf.add(share, biases), [rows, columns, 4 * d]), 1) as tf.Tensor2D[];
    const recurrent = tf.transpose(matrix(`lstm.weight_hh_l${layer}`));
    let h = tf.zeros([rows, d]) as tf.Tensor2D;
    let c = tf.zeros([rows, d]) as tf.Tensor2D;
    const outputs = gates.map((gate) => {
      const [i, f, g, o] = tf.split(tf.add(gate, tf.matMul(h, recurrent)) as tf.Tensor2D, 4, 1);
      c = tf.add(tf.mul(tf.sigmoid(f), c), tf.mul(tf.sigmoid(i), tf.tanh(g)));
      h = tf.mul(tf.sigmoid(o), tf.tanh(c));
      return h;
    });
    x = tf.reshape(tf.stack(outputs, 1), [rows * columns, d]) as tf.Tensor2D;
  }
  return tf.add(tf.matMul(x, matrix('head.weight'), false, true), matrix('head.bias'));
};
