import { fail, ok, type Result } from '../../base/result.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { natsOf, type Batching } from './perplexity.ts';

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
  { rowsPerBatch = ROWS, ...options }: Partial<Batching> = {},
): Promise<Result<TokenPerplexity>> {
  if (traces.length === 0)
    return fail('no-games', 'There are no held-out games to measure perplexity on; give at least one.');
  const { context } = engine.model;
  const rows = traces.map((trace) => notation.encode(trace, { random: null, closed: true }).slice(0, context));
  const nats = await natsOf(engine, rows, notation, { ...options, rowsPerBatch });
  const tokens = rows.reduce((sum, { length }) => sum + length - 1, 0);
  return ok({ games: rows.length, tokens, perplexity: Math.exp(nats / tokens) });
}
