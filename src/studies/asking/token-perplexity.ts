import { batchOf } from '../../base/batch.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';

export interface TokenPerplexity {
  games: number;
  /** Tokens predicted, each game's end token included. */
  tokens: number;
  perplexity: number;
}

/** Small enough that a prompt waiting behind one batch still feels immediate. */
const ROWS = 4;

/**
 * Perplexity a token over games, as SPLAT gives it (Demeter and Downey 2021, Table 2): unlike `perplexity` it does not
 * count a move of several tokens as one. Games longer than the model's context are cut, as they are in training, since
 * every baseball game would be too long for a small one. Fails with `no-games`.
 */
export async function tokenPerplexity(
  engine: Engine,
  traces: readonly Uint16Array[],
  notation: Notation,
  options: { rowsPerBatch?: number; pause?: () => Promise<void>; onGames?: (done: number, of: number) => void } = {},
): Promise<Result<TokenPerplexity>> {
  if (traces.length === 0)
    return fail('no-games', 'There are no held-out games to measure perplexity on; give at least one.');
  const { context } = engine.model;
  const rowsPerBatch = options.rowsPerBatch ?? ROWS;
  const rows = traces
    .map((trace) => notation.encode(trace, { random: null, closed: true }).slice(0, context))
    .sort((a, b) => a.length - b.length);
  let nats = 0;
  let tokens = 0;
  for (let at = 0; at < rows.length; at += rowsPerBatch) {
    const some = rows.slice(at, at + rowsPerBatch);
    for (const value of await engine.logProbabilities(batchOf(some), notation.mutedInEvaluation)) nats -= value;
    for (const { length } of some) tokens += length - 1;
    options.onGames?.(Math.min(at + some.length, rows.length), rows.length);
    await options.pause?.();
  }
  return ok({ games: rows.length, tokens, perplexity: Math.exp(nats / tokens) });
}
