import { ok, type Result } from '../../base/result.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { perplexity } from './perplexity.ts';
import { tokenPerplexity } from './token-perplexity.ts';

/** What a notation's perplexity is counted by: a move where several tokens write one, else a token. */
export function perplexityUnit({ tokensPer }: Pick<Notation, 'tokensPer'>): 'move' | 'token' {
  return tokensPer === 'square' ? 'move' : 'token';
}

/** The perplexity that a run is judged by, in `perplexityUnit`. Fails with `no-games`. */
export async function heldOutPerplexity(
  engine: Engine,
  games: readonly Uint16Array[],
  notation: Notation,
  pause?: () => Promise<void>,
): Promise<Result<number>> {
  const held =
    perplexityUnit(notation) === 'move'
      ? await perplexity(engine, games, notation, { rowsPerBatch: rowsPerBatch(pause), pause })
      : await tokenPerplexity(engine, games, notation, { pause });
  return held.ok ? ok(held.value.perplexity) : held;
}

/** Rows of a batch; few where somebody may be waiting for an answer, which on WASM takes no longer in all. */
export const rowsPerBatch = (pause: unknown): number => (pause === undefined ? 8 : 2);
