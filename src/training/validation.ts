import type { RunConfig } from '../config/run-config.ts';
import type { EvaluationRecord } from './curve.ts';

type Schedule = RunConfig['schedule'];

/** Whether anything of a run hangs on the scores after each epoch, so that these must be awaited. */
export function validates({ epochs, patience, keep }: Schedule): boolean {
  return epochs !== null || patience !== null || keep === 'best';
}

/** Whether the scores at a step (steps taken) are those of an epoch's end, or of the end of the run. */
export function isValidation(schedule: Schedule, stepsPerEpoch: number, step: number): boolean {
  return validates(schedule) && step > 0 && (step % stepsPerEpoch === 0 || step === schedule.steps);
}

/** What the validations of a run say. */
export interface Verdict {
  /** Step of the lowest dev perplexity; null before the first validation. */
  best: number | null;
  /** Validations since that one. */
  since: number;
  /** Whether the run's patience is at its end. */
  stop: boolean;
}

/**
 * The verdict on a run after the evaluations that it has: a function of the curve alone, so that a run taken up again
 * comes to the same. As the chess testbed's training ends (EarlyStopping on the loss a move, of which the perplexity is
 * the exponential): a validation that does not fall below the lowest so far costs patience. One that is missing, since
 * it could not be made, costs none.
 */
export function verdictOf(
  evaluations: readonly EvaluationRecord[],
  schedule: Schedule,
  stepsPerEpoch: number,
): Verdict {
  let best: EvaluationRecord | null = null;
  let since = 0;
  for (const evaluation of evaluations) {
    if (!isValidation(schedule, stepsPerEpoch, evaluation.step)) continue;
    if (best === null || evaluation.devPerplexity < best.devPerplexity) [best, since] = [evaluation, 0];
    else since++;
  }
  return { best: best?.step ?? null, since, stop: schedule.patience !== null && since >= schedule.patience };
}

/**
 * Why a run ended before its last step, or with other weights than its last, in a sentence; null where it did neither.
 * @param kept step whose weights were put in the last ones' place, or null
 */
export function whyEnded(
  evaluations: readonly EvaluationRecord[],
  schedule: Schedule,
  stepsPerEpoch: number,
  step: number,
  kept: number | null,
): string | null {
  const { best, since, stop } = verdictOf(evaluations, schedule, stepsPerEpoch);
  const at = (wanted: number) => evaluations.find((evaluation) => evaluation.step === wanted);
  const epochOf = (wanted: number): number => Math.ceil(wanted / stepsPerEpoch);
  const lowest = best === null ? undefined : at(best);
  if (!lowest || (step >= schedule.steps && kept === null)) return null;
  const last = at(step);
  const stays = `epoch ${epochOf(kept ?? step)} is kept`;
  if (stop && since === 1 && last) {
    const [from, to] = apart(lowest.devPerplexity, last.devPerplexity);
    return from === to
      ? `dev perplexity stayed at ${from} in epoch ${epochOf(step)}; ${stays}`
      : `dev perplexity rose from ${from} to ${to} in epoch ${epochOf(step)}; ${stays}`;
  }
  const stale = stop ? ` and did not fall below it in ${since} epochs` : '';
  return `dev perplexity was lowest in epoch ${epochOf(lowest.step)}, ${lowest.devPerplexity.toFixed(1)}${stale}; ${stays}`;
}

/** Two numbers with as many digits as tell them apart, at most four. */
function apart(a: number, b: number): [string, string] {
  for (let digits = 1; digits < 4; digits++)
    if (a.toFixed(digits) !== b.toFixed(digits)) return [a.toFixed(digits), b.toFixed(digits)];
  return [a.toFixed(4), b.toFixed(4)];
}
