import type { RunConfig } from '../config/run-config.ts';
import type { OptimizerSettings } from '../engine/engine.ts';

/** What the learning rate follows. */
type RatePlan = Pick<RunConfig['schedule'], 'steps' | 'warmup' | 'floor'>;

/**
 * The learning rate of a step, counted from 0, as a share of its peak: a linear rise over the warm-up, then a linear
 * fall that reaches the floor at `schedule.steps`. At floor 0 it is transformers' get_linear_schedule_with_warmup.
 */
export function rateShareAt({ steps, warmup, floor }: RatePlan, step: number): number {
  const rising = Math.round(warmup * steps);
  if (step < rising) return step / Math.max(1, rising);
  const left = Math.max(0, (steps - step) / Math.max(1, steps - rising));
  return floor + (1 - floor) * left;
}

/** What the optimiser does at a step, counted from 0; Muon's rate follows the same schedule as AdamW's. */
export function optimizerAt(
  { optimizer, schedule }: Pick<RunConfig, 'optimizer'> & { schedule: RatePlan },
  step: number,
): OptimizerSettings {
  const share = rateShareAt(schedule, step);
  const { learningRate, beta1, beta2, epsilon, weightDecay, clipNorm } = optimizer;
  const adamw = { learningRate: share * learningRate, beta1, beta2, epsilon, weightDecay, clipNorm };
  if (optimizer.kind === 'adamw') return { ...adamw, muon: null };
  const { matrixRate, matrixDecay, momentum, momentumStart, momentumSteps } = optimizer;
  const risen = Math.min(1, step / Math.max(1, momentumSteps));
  return {
    ...adamw,
    muon: {
      learningRate: share * matrixRate,
      momentum: momentumSteps === 0 ? momentum : momentumStart + risen * (momentum - momentumStart),
      weightDecay: matrixDecay,
    },
  };
}
