import * as tf from '@tensorflow/tfjs-core';
import type { GptConfig } from '../../src/models/gpt.ts';
import type { StockModel } from './stock.ts';

/** GPT-2 (pre-norm, tanh GELU, tied head) in plain TF.js operations. */
export const stockGptLogits: StockModel = (workload, variables, oneHot) => {
  const { rows, columns } = workload;
  const { layers, heads, width } = workload.model as GptConfig;
  const size = width / heads;
  const matrix = (name: string) => variables.get(name) as unknown as tf.Tensor2D;
  const project = (x: tf.Tensor2D, name: string) =>
    tf.add(tf.matMul(x, matrix(`${name}.weight`)), matrix(`${name}.bias`)) as tf.Tensor2D;
  const norm = (x: tf.Tensor2D, name: string) => {
    const centred = tf.sub(x, tf.mean(x, -1, true));
    const variance = tf.mean(tf.square(centred), -1, true);
    const normal = tf.mul(centred, tf.rsqrt(tf.add(variance, 1e-5)));
    return tf.add(tf.mul(normal, matrix(`${name}.weight`)), matrix(`${name}.bias`)) as tf.Tensor2D;
  };

  const wte = matrix('transformer.wte.weight');
  const words = tf.reshape(tf.matMul(oneHot, wte), [rows, columns, width]);
  const places = tf.slice(matrix('transformer.wpe.weight'), [0, 0], [columns, width]);
  let x = tf.reshape(tf.add(words, places), [rows * columns, width]) as tf.Tensor2D;
  const mask = causal(columns);
  for (let layer = 0; layer < layers; layer++) {
    const h = `transformer.h.${layer}`;
    const qkv = project(norm(x, `${h}.ln_1`), `${h}.attn.c_attn`);
    const [q, k, v] = tf
      .split(qkv, 3, 1)
      .map((part) => tf.transpose(tf.reshape(part, [rows, columns, heads, size]), [0, 2, 1, 3]));
    const scores = tf.add(tf.mul(tf.matMul(q, k, false, true), 1 / Math.sqrt(size)), mask);
    const attended = tf.transpose(tf.matMul(tf.softmax(scores), v), [0, 2, 1, 3]);
    x = tf.add(x, project(tf.reshape(attended, [rows * columns, width]), `${h}.attn.c_proj`));
    const wide = gelu(project(norm(x, `${h}.ln_2`), `${h}.mlp.c_fc`));
    x = tf.add(x, project(wide, `${h}.mlp.c_proj`));
  }
  return tf.matMul(norm(x, 'transformer.ln_f'), wte, false, true);
};

/** x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
function gelu(x: tf.Tensor2D): tf.Tensor2D {
  const inner = tf.mul(tf.add(x, tf.mul(tf.mul(tf.square(x), x), 0.044715)), Math.sqrt(2 / Math.PI));
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
}

function causal(columns: number): tf.Tensor2D {
  const values = Float32Array.from({ length: columns * columns }, (_, i) =>
    i % columns > Math.floor(i / columns) ? -1e9 : 0,
  );
  return tf.tensor2d(values, [columns, columns]);
}
