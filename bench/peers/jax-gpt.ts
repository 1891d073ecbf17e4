import { lax, nn, numpy as np } from '@jax-js/jax';
import type { GptConfig } from '../../src/models/gpt.ts';
import type { JaxModel } from './jax-js.ts';

/** GPT-2 (pre-norm, tanh GELU, tied head) by jax-js' own attention and normalisation. */
export const jaxGptLogits: JaxModel = (workload, parameters, oneHot) => {
  const { rows, columns } = workload;
  const { layers, heads, width } = workload.model as GptConfig;
  const use = (name: string) => parameters[name].ref;
  const project = (x: np.Array, name: string) => np.matmul(x, use(`${name}.weight`)).add(use(`${name}.bias`));
  const norm = (x: np.Array, name: string) =>
    nn
      .standardize(x, -1, { epsilon: 1e-5 })
      .mul(use(`${name}.weight`))
      .add(use(`${name}.bias`));

  let x = np.matmul(oneHot.ref, use('transformer.wte.weight')).add(use('transformer.wpe.weight').slice([0, columns]));
  for (let layer = 0; layer < layers; layer++) {
    const h = `transformer.h.${layer}`;
    const qkv = project(norm(x.ref, `${h}.ln_1`), `${h}.attn.c_attn`);
    const [q, k, v] = np
      .split(qkv, 3, -1)
      .map((part) => part.reshape([rows, columns, heads, width / heads]).transpose([0, 2, 1, 3]));
    const scores = np.matmul(q, k.transpose([0, 1, 3, 2])).mul(1 / Math.sqrt(width / heads));
    const seen = np.where(np.tri(columns, columns, 0, { dtype: np.bool }), scores, -Infinity);
    const attended = np.matmul(nn.softmax(seen), v).transpose([0, 2, 1, 3]).reshape([rows, columns, width]);
    x = x.add(project(attended, `${h}.attn.c_proj`));
    const wide = gelu(project(norm(x.ref, `${h}.ln_2`), `${h}.mlp.c_fc`));
    x = x.add(project(wide, `${h}.mlp.c_proj`));
  }
  return lax.dot(norm(x, 'transformer.ln_f'), use('transformer.wte.weight'), {
    lhsContractingDims: [2],
    rhsContractingDims: [1],
  });
};

/** x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
function gelu(x: np.Array): np.Array {
  return nn.gelu(x, { approximate: true });
}
