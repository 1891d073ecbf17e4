/**
 * The chess testbed's metrics on one vector of next-token logits (Toshniwal et al. 2022, section 4.1):
 * exact move (ExM), legal move (LgM) and R-precision. All rank the FULL vocabulary after muting.
 */

/** What the authors' evaluation puts in place of a muted token's logit. */
export const MUTED_LOGIT = -1e10;

/** A copy of logits [V] with the muted tokens pushed out of every ranking. */
export function mute(logits: Float32Array, muted: readonly number[]): Float32Array {
  const copy = logits.slice();
  for (const token of muted) copy[token] = MUTED_LOGIT;
  return copy;
}

/** Ids of the k largest logits, best first; ties go to the lower id. */
export function topTokens(logits: ArrayLike<number>, k: number): number[] {
  const order = Array.from({ length: logits.length }, (_, id) => id);
  order.sort((a, b) => logits[b] - logits[a] || a - b);
  return order.slice(0, k);
}

/** Softmax of logits [V] in double precision. */
export function probabilities(logits: ArrayLike<number>): Float32Array {
  let largest = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i] > largest) largest = logits[i];
  const out = new Float32Array(logits.length);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += out[i] = Math.exp(logits[i] - largest);
  for (let i = 0; i < logits.length; i++) out[i] /= sum;
  return out;
}

export interface RankedAnswer {
  /** The likeliest token. */
  top: number;
  legal: boolean;
  /** Share of the legal answers among the |legal| likeliest tokens. */
  rPrecision: number;
}

/** Judges muted logits [V] against the set of legal answers (token ids, at least one). */
export function rankAnswer(logits: Float32Array, legal: ReadonlySet<number>): RankedAnswer {
  const best = topTokens(logits, legal.size);
  return {
    top: best[0],
    legal: legal.has(best[0]),
    rPrecision: best.filter((token) => legal.has(token)).length / legal.size,
  };
}
