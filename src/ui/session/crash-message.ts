import type { Failure } from '../../base/result.ts';
import type { RunState } from './runs/run.svelte.ts';
import type { Job } from './workers.ts';

/** What a person reads when a worker has died: what ended, what is stored, and what to do. */
export function crashFailure(job: Job, reason: string, { record, savedStep }: RunState): Failure {
  const crash = (message: string): Failure => ({ code: 'worker-crashed', message });
  if (job === 'measure')
    return crash(
      `Measuring stopped unexpectedly (${reason}). Training and prompts go on, and stored assessments are safe; try again, with fewer instances or a smaller model if it happens twice.`,
    );
  if (job === 'data' || job === 'import')
    return crash(
      `Reading games stopped unexpectedly (${reason}). Nothing that was stored is lost; try again, and with a smaller file if it happens twice.`,
    );
  const saved =
    record === null || savedStep === 0
      ? 'Nothing was saved yet; press Train to try again'
      : `Its checkpoint at step ${savedStep} is stored; press Resume to go on from there`;
  return crash(
    `Training stopped unexpectedly (${reason}). ${saved}, and choose a smaller model or batch if it happens twice.`,
  );
}
