import type { DeviceChoice } from '../device.svelte.ts';
import { rowLength } from '../../../studies/compute/step-cost.ts';
import { measuredSpeed, rememberOperations } from './estimate.ts';
import type { ExperimentState } from './experiment.svelte.ts';
import { fittedConfig } from './fitted-config.ts';
import type { GameSets } from '../game-sets.svelte.ts';
import type { Services } from '../workers.ts';

/** Longest rows of the trial: longer ones take more time and say no more. */
const LONGEST = 200;

/**
 * Chooses the settings that this device carries in two minutes, where nobody has chosen any. How fast it trains is tried
 * once, for about a second, and remembered. A device that cannot be tried keeps the settings of the smallest preset.
 */
export async function fitDevice(
  experiment: ExperimentState,
  { device, games, workers }: { device: DeviceChoice; games: GameSets; workers: Services },
): Promise<void> {
  const { config } = experiment;
  const { backend, wanted } = device;
  const events = games.meanEvents(config.data.games);
  let speed = measuredSpeed(config, backend);
  if (speed === null) {
    const length = Math.min(LONGEST, Math.round(rowLength(config, events)));
    const tried = await workers.attempt(() => workers.train.speed(config, length, wanted));
    if (!tried?.ok) return;
    speed = tried.value;
    rememberOperations(config, backend, speed);
  }
  if (experiment.config === config) experiment.fit(fittedConfig(config.domain, speed, events));
}
