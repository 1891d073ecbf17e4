import type { ModelConfig } from '../../models/model.ts';
import { gptPlan } from './gpt-plan.ts';
import { lstmPlan } from './lstm-plan.ts';
import type { Plan } from './plan.ts';
import { qwen3Plan } from './qwen3-plan.ts';

/** The plan of any kind of model: its training step's forward and backward passes, or its forward pass at rest. */
export function buildPlan(model: ModelConfig, training: boolean): Plan {
  if (model.kind === 'gpt2') return gptPlan(model, training);
  if (model.kind === 'qwen3') return qwen3Plan(model, training);
  if (model.kind === 'lstm') return lstmPlan(model, training);
  throw new Error(`buildPlan: there is no plan for a ${model.kind}; the reference engine runs it`);
}
