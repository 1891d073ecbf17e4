import type { Failure } from '../../base/result.ts';
import type { RunState } from './run.svelte.ts';
import type { Job } from './workers.ts';

/** What a person is told when a worker has died: what ended, what is kept, and what to do. */
export function crashFailure(job: Job, words: string, { record, savedStep }: RunState): Failure {
  const told = (message: string): Failure => ({ code: 'worker-crashed', message });
  if (job === 'measure')
    return told(
      `Measuring stopped unexpectedly (${words}). Training and prompts go on, and kept assessments are safe; try again, with fewer instances or a smaller model if it happens twice.`,
    );
  if (job === 'data' || job === 'import')
    return told(
      `Reading games stopped unexpectedly (${words}). Nothing that was stored is lost; try again, and with a smaller file if it happens twice.`,
    );
  const kept =
    record === null || savedStep === 0
      ? 'Nothing was saved yet; press Train to try again'
      : `Its checkpoint at step ${savedStep} is kept; press Resume to go on from there`;
  return told(
    `Training stopped unexpectedly (${words}). ${kept}, and choose a smaller model or batch if it happens twice.`,
  );
}
