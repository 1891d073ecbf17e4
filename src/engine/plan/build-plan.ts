import { lfm2Layout } from '../../models/lfm2.ts';
import type { ConfigOf } from '../../models/kind.ts';
import { isCompiled, type CompiledKind, type ModelConfig } from '../../models/model.ts';
import { qwen3Layout } from '../../models/qwen3.ts';
import { gptPlan } from './gpt-plan.ts';
import { lstmPlan } from './lstm-plan.ts';
import { modernPlan } from './modern-plan.ts';
import type { Plan } from './plan.ts';

const plans: { [K in CompiledKind]: (model: ConfigOf<K>, training: boolean) => Plan } = {
  gpt2: gptPlan,
  qwen3: (model, training) => modernPlan(qwen3Layout(model), training),
  lfm2: (model, training) => modernPlan(lfm2Layout(model), training),
  lstm: lstmPlan,
};

/** The plan of any kind of model: its training step's forward and backward passes, or its forward pass for inference. */
export function buildPlan(model: ModelConfig, training: boolean): Plan {
  if (!isCompiled(model.kind))
    throw new Error(`buildPlan: there is no plan for a ${model.kind}; the reference engine runs it`);
  return (plans[model.kind] as (model: ModelConfig, training: boolean) => Plan)(model, training);
}
