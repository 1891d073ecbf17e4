import { lfm2Layout } from '../../models/lfm2.ts';
import type { ModelConfig } from '../../models/model.ts';
import { qwen3Layout } from '../../models/qwen3.ts';
import { gptPlan } from './gpt-plan.ts';
import { lstmPlan } from './lstm-plan.ts';
import { modernPlan } from './modern-plan.ts';
import type { Plan } from './plan.ts';

/** The plan of any kind of model: its training step's forward and backward passes, or its forward pass for inference. */
export function buildPlan(model: ModelConfig, training: boolean): Plan {
  if (model.kind === 'gpt2') return gptPlan(model, training);
  if (model.kind === 'qwen3') return modernPlan(qwen3Layout(model), training);
  if (model.kind === 'lfm2') return modernPlan(lfm2Layout(model), training);
  if (model.kind === 'lstm') return lstmPlan(model, training);
  throw new Error(`buildPlan: there is no plan for a ${model.kind}; the reference engine runs it`);
}
