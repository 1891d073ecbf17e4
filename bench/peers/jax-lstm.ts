import { nn, numpy as np } from '@jax-js/jax';
import type { LstmConfig } from '../../src/models/lstm.ts';
import type { JaxModel } from './jax-js.ts';

/**
 * nn.LSTM's recurrence (gates i, f, g, o; weights [4d, in]). jax-js has no lax.scan, so it is unrolled; the input's
 * share of the gates is one product a layer.
 */
export const jaxLstmLogits: JaxModel = (workload, parameters, oneHot) => {
  const { rows, columns } = workload;
  const { layers, width: d } = workload.model as LstmConfig;
  const use = (name: string) => parameters[name].ref;
  let x = np.matmul(oneHot.ref, use('embedding.weight')); // [B, T, d]
  for (let layer = 0; layer < layers; layer++) {
    const biases = use(`lstm.bias_ih_l${layer}`).add(use(`lstm.bias_hh_l${layer}`));
    const shares = np.matmul(x, use(`lstm.weight_ih_l${layer}`).transpose()).add(biases);
    const recurrent = use(`lstm.weight_hh_l${layer}`).transpose();
    let h = np.zeros([rows, d]);
    let c = np.zeros([rows, d]);
    const outputs: np.Array[] = [];
    for (let t = 0; t < columns; t++) {
      const gates = shares.ref.slice([], t).add(np.matmul(h, recurrent.ref));
      const [i, f, g, o] = np.split(gates, 4, 1);
      c = nn
        .sigmoid(f)
        .mul(c)
        .add(nn.sigmoid(i).mul(np.tanh(g)));
      h = nn.sigmoid(o).mul(np.tanh(c.ref));
      outputs.push(h.ref);
    }
    for (const done of [shares, recurrent, h, c]) done.dispose();
    x = np.stack(outputs, 1);
  }
  return np.matmul(x, use('head.weight').transpose()).add(use('head.bias'));
};
