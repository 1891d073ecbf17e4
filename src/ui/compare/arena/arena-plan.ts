import { ok, unwrap, type Result } from '../../../base/result.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import {
  stepsWithin,
  wholeLength,
  withParameters,
  type Budget,
  type Equal,
} from '../../../studies/compute/equal-compute.ts';
import { parametersOf } from '../../../studies/compute/step-cost.ts';
import { checkedConfig } from '../../session/experiment/checked-config.ts';

export type Pair<T> = readonly [left: T, right: T];

/** Evaluations of each run, besides that of its first weights. */
const EVALUATIONS = 10;

/**
 * Two configs that differ in model, optimiser and warm-up alone: the right one has the game, the games, the notation,
 * the batch, the context and the seed of the left one, so that the steps of both are of the same batches. Both begin
 * with random weights. With equal parameters the right one's width is as `withParameters` finds it.
 */
export function paired([left, right]: Pair<RunConfig>, equal: Equal): Result<Pair<RunConfig>> {
  const { schedule, model } = right;
  const shared = { ...left, questions: null, from: null };
  const both = [
    shared,
    { ...shared, optimizer: right.optimizer, schedule, model: { ...model, context: left.model.context } },
  ].map(wholeLength);
  const [first, second] = both.map(checkedConfig);
  if (!first.ok) return first;
  if (!second.ok) return second;
  if (equal !== 'parameters') return ok([first.value, second.value]);
  const sized = withParameters(second.value, parametersOf(first.value));
  return sized.ok ? ok([first.value, sized.value]) : sized;
}

/**
 * The two runs at their budget, so long that the learning rate of each reaches its floor where the budget ends.
 * @param events mean length of the games
 * @param speeds measured steps a second of each; only a budget of seconds asks for them
 */
export function planned(
  configs: Pair<RunConfig>,
  budget: Budget,
  events: number,
  speeds: Pair<number> | null = null,
): Result<Pair<RunConfig>> {
  const runs = configs.map((config, at): Result<RunConfig> => {
    const length = stepsWithin(config, budget, events, speeds?.[at]);
    if (!length.ok) return length;
    const steps = length.value;
    const evaluation = { ...config.evaluation, every: Math.max(1, Math.round(steps / EVALUATIONS)) };
    return ok({ ...config, evaluation, schedule: { ...config.schedule, steps } });
  });
  const failed = runs.find((run) => !run.ok);
  return failed ?? ok([unwrap(runs[0]), unwrap(runs[1])]);
}
