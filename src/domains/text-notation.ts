import { fail, ok, type Result } from '../base/result.ts';
import type { ModelVocabulary, TextTokenizer } from '../base/text-tokenizer.ts';
import { broughtNotation } from './brought-notation.ts';
import type { Notation, NotationLabels, TextSpelling } from './domain.ts';

/** The name of the notation that writes a game as text. */
export const TEXT = 'text';

/** What people read of the notation. */
export const TEXT_LABELS: NotationLabels = {
  title: 'Text',
  reads: 'games and questions as text',
  brief: 'The lines of SPLAT as text, for a model that has read text before.',
  description:
    'The lines of Demeter and Downey (2021) as they are written, cut into pieces by the tokenizer that the model was trained with.',
};

/** A model's vocabulary that reads text. */
interface TextVocabulary extends ModelVocabulary {
  tokenizer: TextTokenizer;
}

/**
 * The lines of a notation as text, "[start] e2e4 e7e5 [end]", in the tokens of a model that was trained on text. Nothing
 * is added to its vocabulary: "[start]" is the three or more pieces that the tokenizer cuts it into. A tokenizer must cut
 * before every space, as GPT-2's does, so that a word is spelt alike wherever it stands. Fails with `no-tokenizer`, and
 * with `other-tokenizer` where a word is lost, has no row, or runs into its neighbours.
 */
export function textNotation(words: Notation, given: ModelVocabulary | null): Result<Notation> {
  const text = given && 'encode' in given.tokenizer ? { tokenizer: given.tokenizer, rows: given.rows } : null;
  if (text === null)
    return fail(
      'no-tokenizer',
      'This model reads text, and its tokenizer is not here; open its folder, with tokenizer.json or vocab.json and merges.txt.',
    );
  const spelling = spellingOf(words, text);
  if (!spelling.ok) return spelling;
  const { tokenizer } = text;
  const { spell, longest } = spelling.value;
  const { begin, end } = words.vocabulary;
  const special = { pad: tokenizer.end ?? 0, begin: spell([begin])[0], end: spell([begin, end]).at(-1)! };
  return ok({
    ...broughtNotation(text, special, 'text is'),
    name: TEXT,
    labels: TEXT_LABELS,
    nameShare: words.nameShare,
    tokensPer: 'piece',
    text: spelling.value,
    brought: tokenizer,
    encode: (trace, options) => spell(words.encode(trace, options)),
    decode(tokens) {
      const ids: number[] = [];
      for (const word of tokenizer.decode(Array.from(tokens)).split(/\s+/)) {
        if (word === '') continue;
        const id = words.vocabulary.id(word);
        if (id === undefined)
          return fail('bad-tokens', `"${word.slice(0, 24)}" is no word that games are written in here.`);
        ids.push(id);
      }
      return words.decode(ids);
    },
    maxTokens: (events) => longest * words.maxTokens(events),
  });
}

/** How the tokenizer writes every word; each is tried by itself, and all of them in one line. */
function spellingOf(words: Notation, { tokenizer, rows }: TextVocabulary): Result<TextSpelling> {
  const { tokens, begin } = words.vocabulary;
  const textOf = (word: number): string => `${word === begin ? '' : ' '}${tokens[word]}`;
  const pieces = tokens.map((_, word) => tokenizer.encode(textOf(word)).ids);
  const other = (what: string) =>
    fail(
      'other-tokenizer',
      `The model's tokenizer cannot write the lines of this game: ${what}. Take a model that reads text by bytes, as GPT-2 does.`,
    );
  for (const [word, ids] of pieces.entries()) {
    const name = JSON.stringify(tokens[word]);
    const beyond = ids.find((id) => !(Number.isSafeInteger(id) && id >= 0 && id < rows));
    if (beyond !== undefined) return other(`${name} takes token ${beyond}, and the model has ${rows}`);
    if (tokenizer.decode(ids) !== textOf(word)) return other(`${name} comes back changed`);
  }
  const spell = (line: readonly number[]): number[] => line.flatMap((word) => pieces[word]);
  const line = [begin, ...tokens.keys()].filter((word, at) => at === 0 || word !== begin);
  const whole = tokenizer.encode(line.map(textOf).join('')).ids;
  const apart = spell(line);
  if (whole.length !== apart.length || whole.some((id, at) => id !== apart[at]))
    return other('words are cut otherwise beside each other than alone');
  return ok({ tokenizer, words, spell, longest: Math.max(...pieces.map(({ length }) => length)) });
}
