import type { RunConfig } from '../config/run-config.ts';

/**
 * The learning rate of a step, counted from 0: a linear rise over the warm-up, then a linear fall that reaches
 * floor * peak at `schedule.steps`. At floor 0 it is transformers' get_linear_schedule_with_warmup.
 */
export function learningRateAt(config: Pick<RunConfig, 'optimizer' | 'schedule'>, step: number): number {
  const { steps, warmup, floor } = config.schedule;
  const peak = config.optimizer.learningRate;
  const rising = Math.round(warmup * steps);
  if (step < rising) return (peak * step) / Math.max(1, rising);
  const left = Math.max(0, (steps - step) / Math.max(1, steps - rising));
  return peak * (floor + (1 - floor) * left);
}
