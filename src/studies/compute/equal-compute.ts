import { fail, ok, type Result } from '../../base/result.ts';
import { modelProblemOf, type ModelSettings } from '../../config/model-schema.ts';
import { MOST_STEPS, type RunConfig } from '../../config/run-config.ts';
import type { SweepEqual, SweepRun } from '../../config/sweep.ts';
import { operationsAStep, parametersOf, stepsOf, tokensAStep } from './step-cost.ts';

/** What runs that are compared have the same amount of. With equal parameters they have equal tokens, too. */
export const EQUALS = ['tokens', 'flops', 'parameters', 'seconds'] as const;
export type Equal = (typeof EQUALS)[number];

/** How long each run trains. */
export interface Budget {
  equal: Equal;
  /** Of each run: seconds, thousands of millions of FLOPs, or tokens. */
  amount: number;
}

/** The unit of an amount of FLOPs. */
export const GIGA = 1e9;

const WIDTHS = { least: 8, most: 1024 } as const;

/**
 * The steps that a budget pays for. Fails with `too-little` or `too-many-steps`.
 * @param events mean length of the games
 * @param speed measured steps a second; only a budget of seconds asks for it
 */
export function stepsWithin(config: RunConfig, budget: Budget, events: number, speed = 0): Result<number> {
  const steps = Math.round(exactSteps(config, budget, events, speed));
  if (!(steps >= 2))
    return fail('too-little', 'This is less than two steps of training. Give the models more to train with.');
  if (steps > MOST_STEPS)
    return fail('too-many-steps', `This is more than ${MOST_STEPS} steps of training. Give the models less.`);
  return ok(steps);
}

function exactSteps(config: RunConfig, { equal, amount }: Budget, events: number, speed: number): number {
  if (equal === 'seconds') return amount * speed;
  if (equal === 'flops') return (amount * GIGA) / operationsAStep(config, events);
  return amount / tokensAStep(config, events);
}

/** The config without what would end its run early or choose other weights than its last. */
export function wholeLength(config: RunConfig): RunConfig {
  return { ...config, schedule: { ...config.schedule, epochs: null, patience: null, keep: 'last' } };
}

/**
 * The runs of a sweep at the compute of its first, which is as long as its settings say. The others have as many steps as
 * come nearest to its tokens or FLOPs; with equal parameters they have its tokens, and widths at which they have about
 * its parameters. Time is not offered: a sweep is the same on every device. Fails with `no-games`, and as `stepsWithin` and
 * `withParameters` do, naming the run.
 * @param games of the training split: mean length, and how many there are; null where that is not known
 */
export function withEqualCompute(
  runs: readonly SweepRun[],
  equal: SweepEqual,
  { events, count }: { events: number; count: number | null },
): Result<SweepRun[]> {
  if (runs.length === 0) return ok([]);
  if (count === null)
    return fail(
      'no-games',
      'What all runs have the same of is counted in the games that they read, and these are not listed yet or not on this device.',
    );
  const [{ config: first }] = runs;
  const steps = stepsOf(first, count);
  const amount =
    equal === 'flops' ? (steps * operationsAStep(first, events)) / GIGA : steps * tokensAStep(first, events);
  const found: SweepRun[] = [];
  for (const { name, config } of runs) {
    const of = (message: string): string => `${name}: ${message}`;
    const sized = equal === 'parameters' ? withParameters(config, parametersOf(first)) : ok(config);
    if (!sized.ok) return fail(sized.error.code, of(sized.error.message));
    const length = stepsWithin(sized.value, { equal, amount }, events);
    if (!length.ok) return fail(length.error.code, of(length.error.message));
    const whole = wholeLength(sized.value);
    found.push({ name, config: { ...whole, schedule: { ...whole.schedule, steps: length.value } } });
  }
  return ok(found);
}

/**
 * The config with the width at which its model's parameters come nearest to a number, its own width among them; the gated
 * unit, where there is one, is as many times as wide as it was. Fails with `no-width` where none of its widths comes within a half of it.
 */
export function withParameters(config: RunConfig, wanted: number): Result<RunConfig> {
  const { model } = config;
  // Rotary positions need heads of an even width.
  const unit = 'heads' in model ? 2 * model.heads : 1;
  const least = 4 * unit * Math.ceil(WIDTHS.least / (4 * unit));
  const offOf = (candidate: RunConfig): number => Math.abs(parametersOf(candidate) / wanted - 1);
  let best = { config, off: offOf(config) };
  for (let width = least; width <= WIDTHS.most; width += unit % 4 === 0 ? unit : 4 * unit) {
    const resized = atWidth(model, width);
    if (modelProblemOf(resized) !== null) continue;
    const candidate = { ...config, model: resized };
    const off = offOf(candidate);
    if (off < best.off) best = { config: candidate, off };
  }
  if (best.off > 0.5)
    return fail(
      'no-width',
      'No width gives this model about as many parameters as the other has. Choose another number of layers or heads, or another model.',
    );
  return ok(best.config);
}

function atWidth(model: ModelSettings, width: number): ModelSettings {
  if (!('mlp' in model)) return { ...model, width };
  return { ...model, width, mlp: Math.max(8, 8 * Math.round((model.mlp * width) / model.width / 8)) };
}
