import type { Preset } from '../../../config/presets.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { operationsAStep } from '../../../studies/compute/step-cost.ts';
import { configIn, firstPreset, presetsOf } from './game-setup.ts';

/**
 * Presets, smallest first, with the steps from which each learns more than the one before it does in the same time: a
 * wider model wants fifteen hundred, of SPLAT twelve hundred, and a deeper one shows nothing before some five million
 * tokens (docs/log.md, Learning).
 */
const LADDER = new Map([
  ['nano', 0],
  ['tiny', 1500],
  ['deep', 3500],
  ['splat-nano', 0],
  ['splat-tlm-small', 1200],
]);
/**
 * Seconds of steps at the speed that the trial measured. With evaluations, and with the page that draws and answers on
 * the same two cores, they take two minutes, about as long as a class watches.
 */
const SECONDS = 102;
/** Beyond these the next evaluations show little that is new. */
const MOST_STEPS = 8000;
/** The first after ten seconds at the latest, as a class wants something to see. */
const EVALUATIONS = 18;

export interface FittedConfig {
  preset: Preset;
  config: RunConfig;
}

/**
 * What a device can teach in two minutes: the largest preset of the game for which the time is enough, and as many steps
 * as fit, on the schedule of the smallest.
 * @param speed floating-point operations a second in training, as measured
 * @param events mean length of the games
 */
export function fittedConfig(domain: string, speed: number, events: number): FittedConfig {
  const first = firstPreset(domain);
  const { schedule, evaluation } = first.config;
  const rungs = presetsOf(domain)
    .filter(({ name, config }) => LADDER.has(name) && config.model.kind === first.config.model.kind)
    .map((preset) => {
      const config = configIn(preset, domain);
      return { preset, config, steps: (SECONDS * speed) / operationsAStep(config, events) };
    });
  const found = rungs.findLast(({ preset, steps }) => steps >= LADDER.get(preset.name)!) ?? rungs[0];
  const steps = rounded(Math.min(MOST_STEPS, found.steps));
  const every = Math.max(50, 50 * Math.round(steps / EVALUATIONS / 50));
  return {
    preset: found.preset,
    config: { ...found.config, schedule: { ...schedule, steps }, evaluation: { ...evaluation, every } },
  };
}

/** To the hundred, so that two measurements of a device mostly agree; to the ten where that would be coarse. */
function rounded(steps: number): number {
  const unit = steps < 500 ? 10 : 100;
  return Math.max(unit, unit * Math.round(steps / unit));
}
