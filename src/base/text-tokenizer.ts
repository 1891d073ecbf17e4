/** What reads text for a model of another maker. */
export interface TextTokenizer {
  /** The tokens in the order of their ids; null where an id has none. */
  vocabulary: readonly (string | null)[];
  /** Text in tokens, without any that stand for its beginning or end. */
  encode(text: string): { ids: number[]; tokens: string[] };
  /** Whether tokens are bytes that stand for themselves, as GPT-2's are, so that no word is unknown. */
  byteLevel: boolean;
  /** The ids of what may stand before and behind a text, and for an unknown word; null where there is none. */
  begin: number | null;
  end: number | null;
  unknown: number | null;
}
