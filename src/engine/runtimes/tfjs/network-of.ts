import { lfm2Layout } from '../../../models/lfm2.ts';
import type { ModelConfig } from '../../../models/model.ts';
import { qwen3Layout } from '../../../models/qwen3.ts';
import { gpt2 } from './gpt2.ts';
import { lstm } from './lstm.ts';
import type { Network } from './network.ts';
import { performer } from './performer.ts';
import { modern } from './modern.ts';
import { reformer } from './reformer.ts';
import { transformer } from './transformer.ts';

/** The network of a model's kind. */
export function networkOf(model: ModelConfig): Network {
  if (model.kind === 'gpt2') return transformer(gpt2(model));
  if (model.kind === 'qwen3') return transformer(modern(qwen3Layout(model), model.context));
  if (model.kind === 'lfm2') return transformer(modern(lfm2Layout(model), model.context));
  if (model.kind === 'lstm') return lstm(model);
  if (model.kind === 'reformer') return reformer(model);
  return performer(model);
}
