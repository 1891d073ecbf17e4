import { ok, type Result } from '../../base/result.ts';
import { parseRunConfig, type RunConfig } from '../../config/run-config.ts';
import { MOVES_TUNING } from '../../config/text-tuning.ts';
import { coverage, moveTokens } from '../../domains/chess/notation/move-tokens.ts';
import type { ModelConfig } from '../../models/model.ts';

/** What is known of a model whose tokens are whole moves. */
export interface WholeMoves {
  config: RunConfig;
  /** The moves that pieces can make: how many it has, and which it lacks; and its tokens that are none. */
  report: { matched: number; missing: string[]; foreign: string[] };
}

/**
 * The config and the report of a third-party model whose tokens are whole moves of chess; null where they are not.
 * It is asked in squares (asked-in.ts). Fails as the config does.
 * @param base how it is to learn
 */
export function asWholeMoves(
  { model }: { model: ModelConfig },
  tokens: readonly (string | null)[],
  base: RunConfig = MOVES_TUNING,
): Result<WholeMoves | null> {
  const moves = moveTokens(tokens.slice(0, model.vocabulary));
  if (moves === null) return ok(null);
  const settings: Record<string, unknown> = { ...model, slots: false };
  delete settings.vocabulary;
  const config = parseRunConfig({
    ...base,
    ...{ domain: 'chess', notation: moves.named ? 'moves:named' : 'moves', questions: null, objective: 'next' },
    data: { games: '', manifest: '', limit: null },
    model: settings,
  });
  if (!config.ok) return config;
  const used = new Set([...moves.moves.map(({ id }) => id), moves.begin, moves.end]);
  const foreign = tokens.flatMap((token, id) => (token === null || used.has(id) ? [] : [token]));
  return ok({ config: config.value, report: { ...coverage(moves), foreign } });
}
