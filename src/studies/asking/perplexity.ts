import { batchOf } from '../../base/batch.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';

export interface PerplexityReport {
  games: number;
  /** Plies; the perplexity is taken over these and the games' ends, each of which the testbed counts as a move. */
  moves: number;
  perplexity: number;
  /** Games left out because they do not fit the model's context. */
  tooLong: number;
}

/**
 * Canonical perplexity (Toshniwal et al. 2022, section 4): the negative log-likelihood of all targets
 * (squares, promotions and the end token) divided by the number of moves, one move counting as one token
 * and the end of the game as a move; piece names are muted for models that are not told them at test time.
 * `pause` runs between batches so that a worker can answer messages.
 */
export async function perplexity(
  engine: Engine,
  traces: readonly Uint16Array[],
  notation: Notation,
  options: { rowsPerBatch: number; pause?: () => Promise<void>; onGames?: (done: number, of: number) => void },
): Promise<Result<PerplexityReport>> {
  const context = engine.model.context;
  const encoded = traces.map((trace) => ({
    plies: trace.length,
    tokens: notation.encode(trace, { random: null, closed: true }),
  }));
  const fitting = encoded.filter(({ tokens }) => tokens.length <= context);
  if (encoded.length === 0)
    return fail('no-games', 'There are no held-out games to measure perplexity on; give at least one.');
  if (fitting.length === 0)
    return fail('no-games', `No game fits the model's context of ${context} tokens; give shorter games.`);
  fitting.sort((a, b) => a.tokens.length - b.tokens.length);
  let nats = 0;
  let moves = 0;
  for (let at = 0; at < fitting.length; at += options.rowsPerBatch) {
    const rows = fitting.slice(at, at + options.rowsPerBatch);
    const logProbabilities = await engine.logProbabilities(
      batchOf(rows.map((row) => row.tokens)),
      notation.mutedInEvaluation,
    );
    for (const value of logProbabilities) nats -= value;
    for (const row of rows) moves += row.plies;
    options.onGames?.(Math.min(at + rows.length, fitting.length), fitting.length);
    await options.pause?.();
  }
  return ok({
    games: fitting.length,
    moves,
    perplexity: Math.exp(nats / (moves + fitting.length)),
    tooLong: encoded.length - fitting.length,
  });
}
