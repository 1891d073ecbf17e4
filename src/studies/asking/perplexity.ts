import { batchOf } from '../../base/batch.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';

/** How rows go through an engine. */
export interface Batching {
  rowsPerBatch: number;
  pause?: () => Promise<void>;
  onGames?: (done: number, of: number) => void;
}

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
  options: Batching,
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
  const rows = fitting.map(({ tokens }) => tokens);
  const nats = await natsOf(engine, rows, notation, options);
  const moves = fitting.reduce((sum, { plies }) => sum + plies, 0);
  return ok({
    games: fitting.length,
    moves,
    perplexity: Math.exp(nats / (moves + fitting.length)),
    tooLong: encoded.length - fitting.length,
  });
}

/** The negative log-likelihood of all targets of some rows, in nats; rows of similar length go together. */
export async function natsOf(
  engine: Engine,
  rows: readonly number[][],
  { mutedInEvaluation }: Notation,
  { rowsPerBatch, pause, onGames }: Batching,
): Promise<number> {
  const sorted = rows.toSorted((a, b) => a.length - b.length);
  let nats = 0;
  for (let at = 0; at < sorted.length; at += rowsPerBatch) {
    const some = sorted.slice(at, at + rowsPerBatch);
    for (const value of await engine.logProbabilities(batchOf(some), mutedInEvaluation)) nats -= value;
    onGames?.(at + some.length, sorted.length);
    await pause?.();
  }
  return nats;
}
