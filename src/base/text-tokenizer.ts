/** The tokens that a third-party model came with. */
export interface ModelTokens {
  /** In the order of their ids; null where an id has none. */
  vocabulary: readonly (string | null)[];
  /** The files that they were read from, to be stored beside weights that were learned with them. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** What reads text for a third-party model. */
export interface TextTokenizer extends ModelTokens {
  /** Text in tokens, without any that stand for its beginning or end. */
  encode(text: string): { ids: number[]; tokens: string[] };
  /** The text of ids, special tokens and spaces as they are. */
  decode(ids: readonly number[]): string;
  /** Whether tokens are bytes that stand for themselves, as GPT-2's are, so that no word is unknown. */
  byteLevel: boolean;
  /** The ids of what may stand before and behind a text, and for an unknown word; null where there is none. */
  begin: number | null;
  end: number | null;
  unknown: number | null;
}

/** The tokens of a third-party model, and how many of them it has rows for. Those that are listed alone read no text. */
export interface ModelVocabulary {
  tokenizer: TextTokenizer | ModelTokens;
  rows: number;
}
