import { bringsTokens } from '../../config/brought-tokens.ts';
import { notationOf } from '../../domains/domains.ts';

/** Whether a model writes the moves of chess square by square, so that boards can be asked for and drawn. */
export function readsSquares(model: { domain: string; notation: string }): boolean {
  const notation = notationOf(model);
  return model.domain === 'chess' && notation.ok && notation.value.tokensPer === 'square';
}

/** Whether settings are of models that are trained on squares from their first step, and not of one that brings its tokens. */
export function learnsSquares(config: { domain: string; notation: string }): boolean {
  return readsSquares(config) && !bringsTokens(config);
}
