import { fail, InputError, type Result } from '../../base/result.ts';

/** How a long measurement shares its thread. */
export interface Pace {
  /** Awaited between parts of the work, so that a worker can answer messages. */
  pause?: () => Promise<void>;
  /** Asked between parts of the work; once it says yes, the measurement ends with the failure `cancelled`. */
  cancelled?: () => boolean;
}

/** The pause to hand to a part of the work: it ends the whole where that was cancelled. */
export function pauseOf({ pause, cancelled }: Pace): () => Promise<void> {
  return async () => {
    await pause?.();
    if (cancelled?.()) throw new InputError(fail('cancelled', 'The measurement was stopped.').error);
  };
}

/** The work's result, or the failure that ended it from inside (`cancelled`, or one of its input). Bugs throw. */
export async function endedEarly<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError) return { ok: false, error: error.failure };
    throw error;
  }
}
