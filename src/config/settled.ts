import { inputError } from '../base/result.ts';
import { MOST_STEPS, type RunConfig } from './run-config.ts';

/**
 * The config with its steps settled once the number of training games is known: where it asks for epochs, as many steps
 * as they take, whatever `steps` said. A run keeps its settled config; settled again, it is the same.
 * @throws InputError `too-many-steps` where they are more than a config may have
 */
export function settled(config: RunConfig, games: number): RunConfig {
  const { batch, schedule } = config;
  if (schedule.epochs === null) return config;
  // The last batch of an epoch may be smaller.
  const steps = schedule.epochs * Math.ceil(games / batch);
  if (steps > MOST_STEPS)
    throw inputError(
      'too-many-steps',
      `${schedule.epochs} epochs of ${games} games in batches of ${batch} are ${steps} steps, and a run has at most ${MOST_STEPS}; ask for fewer epochs or larger batches.`,
    );
  return { ...config, schedule: { ...schedule, steps } };
}
