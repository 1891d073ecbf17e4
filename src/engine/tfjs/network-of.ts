import type { ModelConfig } from '../../models/model.ts';
import { gpt2 } from './gpt2.ts';
import { lstm } from './lstm.ts';
import type { Network } from './network.ts';
import { performer } from './performer.ts';
import { qwen3 } from './qwen3.ts';
import { reformer } from './reformer.ts';
import { transformer } from './transformer.ts';

/** The network of a model's kind. */
export function networkOf(model: ModelConfig): Network {
  if (model.kind === 'gpt2') return transformer(gpt2(model));
  if (model.kind === 'qwen3') return transformer(qwen3(model));
  if (model.kind === 'lstm') return lstm(model);
  if (model.kind === 'reformer') return reformer(model);
  return performer(model);
}
