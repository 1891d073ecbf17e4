/**
 * How tokens are found in text by the rules that Hugging Face's tokenizer.json has: replacements, then splits, then the
 * vocabulary. Patterns are regular expressions that Oniguruma and JavaScript read alike, since libraries in both read
 * them. For a model with slots the pieces tell a token's slot, too: the same square is spelled differently where a move
 * begins and where it ends.
 */
export interface TokenizerRules {
  /** Made in the whole text, one after the other. */
  normalizer: readonly Replacement[];
  /** Made in each piece that the one before left. */
  splits: readonly Split[];
  /**
   * The piece that is a token as it stands in a slot, the state after it being `next`; null where the rules never find it
   * there. `slot` is 0 in models without slots.
   */
  piece(token: number, slot: number, next: number): string | null;
  /** Made in each token that is written as text again. */
  decoder: readonly Replacement[];
  /** Whether decoded tokens stand next to each other; else spaces are between them. */
  fused: boolean;
}

export interface Replacement {
  pattern: string;
  content: string;
}

export interface Split {
  pattern: string;
  /** What becomes of a match: a piece of its own, or nothing; 'kept' leaves nothing but the matches. */
  match: 'isolated' | 'removed' | 'kept';
}

/** Tokens are the words of the text. */
export function wordRules(tokens: readonly string[]): TokenizerRules {
  return {
    normalizer: [],
    splits: [{ pattern: '\\s+', match: 'removed' }],
    piece: (token) => tokens[token],
    decoder: [],
    fused: false,
  };
}
