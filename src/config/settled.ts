import type { RunConfig } from './run-config.ts';

/**
 * The config with its steps settled once the number of training games is known: where it asks for epochs, as many steps
 * as they take, whatever `steps` said. A run keeps its settled config; settled again, it is the same.
 */
export function settled(config: RunConfig, games: number): RunConfig {
  const { batch, schedule } = config;
  if (schedule.epochs === null) return config;
  // The last batch of an epoch may be smaller.
  return { ...config, schedule: { ...schedule, steps: schedule.epochs * Math.ceil(games / batch) } };
}
