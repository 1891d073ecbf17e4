import { fail, ok, unwrap, type Result } from '../../../base/result.ts';
import { modelProblemOf, type ModelSettings } from '../../../config/model-schema.ts';
import { MOST_STEPS, type RunConfig } from '../../../config/run-config.ts';
import { checkedConfig } from '../../session/experiment/checked-config.ts';
import { operationsAStep, parametersOf, tokensAStep } from '../../session/experiment/estimate.ts';

/** What the two runs of an arena have the same amount of. With equal parameters they have equal tokens, too. */
export const EQUALS = ['tokens', 'flops', 'parameters', 'seconds'] as const;
export type Equal = (typeof EQUALS)[number];

/** How long each of the two trains. */
export interface Budget {
  equal: Equal;
  /** Of each run: seconds, thousands of millions of FLOPs, or tokens. */
  amount: number;
}

/** The unit of an amount of FLOPs. */
export const GIGA = 1e9;

export type Pair<T> = readonly [left: T, right: T];

/** Evaluations of each run, besides that of its first weights. */
const EVALUATIONS = 10;
const WIDTHS = { least: 8, most: 1024 } as const;

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
  ].map((config) => ({
    ...config,
    schedule: { ...config.schedule, epochs: null, patience: null, keep: 'last' },
  }));
  const [first, second] = both.map(checkedConfig);
  if (!first.ok) return first;
  if (!second.ok) return second;
  if (equal !== 'parameters') return ok([first.value, second.value]);
  const sized = withParameters(second.value, parametersOf(first.value));
  return sized.ok ? ok([first.value, sized.value]) : sized;
}

/**
 * The config with the width at which its model's parameters come nearest to a number; the gated unit, where there is
 * one, is as many times as wide as it was. Fails with `no-width` where none of its widths comes within a half of it.
 */
export function withParameters(config: RunConfig, wanted: number): Result<RunConfig> {
  const { model } = config;
  // Rotary positions need heads of an even width.
  const unit = 'heads' in model ? 2 * model.heads : 1;
  const least = 4 * unit * Math.ceil(WIDTHS.least / (4 * unit));
  let best: { config: RunConfig; off: number } | null = null;
  for (let width = least; width <= WIDTHS.most; width += unit % 4 === 0 ? unit : 4 * unit) {
    const resized = atWidth(model, width);
    if (modelProblemOf(resized) !== null) continue;
    const candidate = { ...config, model: resized };
    const off = Math.abs(parametersOf(candidate) / wanted - 1);
    if (best === null || off < best.off) best = { config: candidate, off };
  }
  if (best === null || best.off > 0.5)
    return fail(
      'no-width',
      'No width gives the right model about as many parameters as the left one has. Choose another number of layers or heads, or another model.',
    );
  return ok(best.config);
}

function atWidth(model: ModelSettings, width: number): ModelSettings {
  if (!('mlp' in model)) return { ...model, width };
  return { ...model, width, mlp: Math.max(8, 8 * Math.round((model.mlp * width) / model.width / 8)) };
}

/**
 * The two runs at their budget, so long that the learning rate of each reaches its floor where the budget ends.
 * @param events mean length of the games
 * @param speeds measured steps a second of each; only a budget of seconds asks for them
 */
export function planned(
  configs: Pair<RunConfig>,
  { equal, amount }: Budget,
  events: number,
  speeds: Pair<number> | null = null,
): Result<Pair<RunConfig>> {
  const runs = configs.map((config, at): Result<RunConfig> => {
    const steps = Math.round(exactSteps(config, { equal, amount }, events, speeds?.[at] ?? 0));
    if (!(steps >= 2))
      return fail('too-little', 'This is less than two steps of training. Give the models more to train with.');
    if (steps > MOST_STEPS)
      return fail('too-many-steps', `This is more than ${MOST_STEPS} steps of training. Give the models less.`);
    const evaluation = { ...config.evaluation, every: Math.max(1, Math.round(steps / EVALUATIONS)) };
    return ok({ ...config, evaluation, schedule: { ...config.schedule, steps } });
  });
  const failed = runs.find((run) => !run.ok);
  return failed ?? ok([unwrap(runs[0]), unwrap(runs[1])]);
}

function exactSteps(config: RunConfig, { equal, amount }: Budget, events: number, speed: number): number {
  if (equal === 'seconds') return amount * speed;
  if (equal === 'flops') return (amount * GIGA) / operationsAStep(config, events);
  return amount / tokensAStep(config, events);
}
