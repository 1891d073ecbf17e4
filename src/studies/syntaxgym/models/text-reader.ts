import { ok } from '../../../base/result.ts';
import type { TextTokenizer } from '../../../base/text-tokenizer.ts';
import type { SentenceReader } from './sentence-reader.ts';

/**
 * Text for a third-party model. As the images of lm-zoo do, the sentence stands between the tokens that begin and
 * end a text, so that its first word has a surprisal; the end belongs to its last region.
 */
export function textReader({ vocabulary, encode, byteLevel, begin, end, unknown }: TextTokenizer): SentenceReader {
  const nameOf = (id: number): string => vocabulary[id] ?? `<${id}>`;
  const types = (id: number | null): string[] => (id === null ? [] : [nameOf(id)]);
  return {
    spec: (name) => ({
      name,
      vocabulary: {
        items: vocabulary.map((_, id) => nameOf(id)),
        unk_types: byteLevel ? [] : types(unknown),
        prefix_types: types(begin),
        suffix_types: types(end),
        special_types: [],
      },
      tokenizer: {
        type: 'subword',
        cased: true,
        ...(byteLevel ? { sentinel_position: 'initial', sentinel_pattern: 'Ġ' } : {}),
      },
    }),
    read(sentence) {
      const found = encode(sentence);
      const starts = byteLevel ? byteStarts(sentence, found.tokens) : null;
      const [first, last] = [begin, end].map((id) => (id === null ? [] : [id]));
      const ids = [...first, ...found.ids, ...last];
      return ok({
        ids,
        tokens: ids.map(nameOf),
        unknown: ids.map((id) => !byteLevel && id === unknown),
        // Special tokens stand at 0, which leaves them in the region that was reached.
        starts: starts && [...first.map(() => 0), ...starts, ...last.map(() => 0)],
      });
    },
    muted: () => [],
  };
}

/** Where each token's first character other than a space stands, from the bytes that its characters stand for. */
function byteStarts(sentence: string, tokens: readonly string[]): number[] {
  /** [bytes] the character that a byte belongs to. */
  const characters: number[] = [];
  let at = 0;
  for (const character of sentence) {
    const bytes = new TextEncoder().encode(character).length;
    for (let i = 0; i < bytes; i++) characters.push(at);
    at += character.length;
  }
  let byte = 0;
  return tokens.map((token) => {
    const spaces = /^[ĠĊĉ]*/.exec(token)![0].length;
    const start = characters[byte + (spaces < [...token].length ? spaces : 0)] ?? sentence.length;
    byte += [...token].length;
    return start;
  });
}
