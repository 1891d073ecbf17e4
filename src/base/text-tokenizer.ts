/** What reads text for a model of another maker. */
export interface TextTokenizer {
  /** The tokens in the order of their ids; null where an id has none. */
  vocabulary: readonly (string | null)[];
  /** Text in tokens, without any that stand for its beginning or end. */
  encode(text: string): { ids: number[]; tokens: string[] };
  /** The text of ids, special tokens and spaces as they are. */
  decode(ids: readonly number[]): string;
  /** The files that it was read from, to be stored beside weights that were learned with it. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Whether tokens are bytes that stand for themselves, as GPT-2's are, so that no word is unknown. */
  byteLevel: boolean;
  /** The ids of what may stand before and behind a text, and for an unknown word; null where there is none. */
  begin: number | null;
  end: number | null;
  unknown: number | null;
}
