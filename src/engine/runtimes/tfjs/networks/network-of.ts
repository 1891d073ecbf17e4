import { lfm2Layout } from '../../../../models/lfm2.ts';
import type { ModelKindName } from '../../../../config/model-schema.ts';
import type { ConfigOf } from '../../../../models/kind.ts';
import type { ModelConfig } from '../../../../models/model.ts';
import { qwen3Layout } from '../../../../models/qwen3.ts';
import { gpt2 } from './gpt2.ts';
import { lstm } from './lstm.ts';
import type { Network } from './network.ts';
import { performer } from './performer.ts';
import { modern } from './modern.ts';
import { reformer } from './reformer.ts';
import { transformer } from './transformer.ts';

const networks: { [K in ModelKindName]: (model: ConfigOf<K>) => Network } = {
  gpt2: (model) => transformer(gpt2(model)),
  qwen3: (model) => transformer(modern(qwen3Layout(model), model.context)),
  lfm2: (model) => transformer(modern(lfm2Layout(model), model.context)),
  lstm,
  reformer,
  performer,
};

/** The network of a model's kind. */
export function networkOf(model: ModelConfig): Network {
  return (networks[model.kind] as (model: ModelConfig) => Network)(model);
}
