import { notationOf } from '../../domains/domains.ts';

/** Whether a model writes the moves of chess square by square, so that boards can be asked for and drawn. */
export function readsSquares(model: { domain: string; notation: string }): boolean {
  const notation = notationOf(model);
  return model.domain === 'chess' && notation.ok && notation.value.tokensPer === 'square';
}
