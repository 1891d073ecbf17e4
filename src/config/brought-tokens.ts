/**
 * Whether models of a notation bring their tokens with them: pieces of text, and whole moves as their makers spelt them.
 * What such a run reads with is stored beside its weights.
 */
export function bringsTokens({ notation }: { notation: string }): boolean {
  return notation === 'text' || notation.startsWith('moves');
}
