import { fail, ok, type Result } from '../base/result.ts';
import type { Engine } from '../engine/engine.ts';
import type { Readings } from './plain/readings.ts';

/** A prompt as the file reads it, and the next-token logits that the model in use gives after it. */
export interface ExpectedLogits {
  ids: readonly number[];
  logits: Float32Array;
  /** Which of the file's logits each is; every one in its order where it is left out. */
  columns?: Int32Array;
}

export interface ReadBack {
  /** The largest of any logit, in any way that the client reads a prompt. */
  maxLogitDifference: number;
  /** Share of the prompts after which the likeliest token is the same. */
  agreement: number;
}

/** What a file in 32 bits may differ by from the model that it was made of. */
export const MOST_DIFFERENCE = 1e-3;

/**
 * What an engine answers to prompts.
 * @param prompts in the engine's tokens, beginning in the state in which sequences begin
 * @param readings the file's vocabulary, where a model with slots became a plain one
 */
export async function expectedLogits(
  engine: Engine,
  prompts: readonly (readonly number[])[],
  readings: Readings | null = null,
): Promise<ExpectedLogits[]> {
  const answers = await engine.leafLogits(
    prompts,
    prompts.map(() => []),
  );
  return answers.map(({ root: logits }, i) => {
    if (!readings) return { ids: prompts[i], logits };
    const { at, list, vocabulary } = readings;
    let state = 0;
    const ids = prompts[i].map((token) => {
      const reading = at[state * vocabulary + token];
      state = list[reading].next;
      return reading;
    });
    return { ids, logits, columns: at.slice(state * vocabulary, (state + 1) * vocabulary) };
  });
}

/**
 * Compares every answer of a client with what is expected.
 * @param answersTo the logits after the i-th prompt, in each way that the client reads one
 */
export async function compared(
  expected: readonly ExpectedLogits[],
  answersTo: (ids: readonly number[], i: number) => Promise<readonly Float32Array[]>,
  onProgress: (done: number) => void = () => {},
): Promise<ReadBack> {
  const found: ReadBack = { maxLogitDifference: 0, agreement: 0 };
  for (const [done, { ids, logits, columns }] of expected.entries()) {
    const answers = await answersTo(ids, done);
    for (const answer of answers)
      found.maxLogitDifference = Math.max(found.maxLogitDifference, largestDifference(answer, logits, columns));
    const best = largest(logits);
    found.agreement += Number(largest(answers[0]) === (columns?.[best] ?? best)) / expected.length;
    onProgress(done + 1);
  }
  return found;
}

/** What was found, where it differs by no more than may be; else fails with `export-differs`. */
export function agreedAnswers(found: ReadBack, most = MOST_DIFFERENCE): Result<ReadBack> {
  const { maxLogitDifference: difference } = found;
  // A difference that is no number is none that may be.
  if (difference <= most) return ok(found);
  return fail(
    'export-differs',
    `The files that were written answer otherwise than the model: a logit differs by ${difference}, more than ${most}. Nothing was saved; this is a mistake of the export.`,
  );
}

/** NaN where any is. */
function largestDifference(found: Float32Array, expected: Float32Array, columns?: Int32Array): number {
  if (!columns && found.length !== expected.length) return Infinity;
  return expected.reduce((most, logit, i) => Math.max(most, Math.abs(found[columns ? columns[i] : i] - logit)), 0);
}

function largest(logits: Float32Array): number {
  return logits.reduce((best, logit, i) => (logit > logits[best] ? i : best), 0);
}
