import { fail, type Where } from '../base/result.ts';
import type { Vocabulary } from './domain.ts';

/** The vocabulary of tokens in the order of their ids. */
export function vocabularyOf(
  tokens: readonly string[],
  special: Pick<Vocabulary, 'pad' | 'begin' | 'end'> = { pad: 0, begin: 1, end: 2 },
): Vocabulary {
  const ids = new Map(tokens.map((token, id) => [token, id]));
  return { tokens, size: tokens.length, ...special, id: (token) => ids.get(token) };
}

/** A token as messages tell it, by its number where the vocabulary has none. */
export function tokenText({ tokens }: Vocabulary, token: number): string {
  return tokens[token] ?? `token ${token}`;
}

/** The failure where anything but padding follows a game, whose end token, if any, is at `at`; else null. */
export function followedBy(vocabulary: Vocabulary, tokens: ArrayLike<number>, at: number, where?: Where) {
  const { pad, end } = vocabulary;
  for (let i = tokens[at] === end ? at + 1 : at; i < tokens.length; i++)
    if (tokens[i] !== pad)
      return fail(
        'bad-tokens',
        `${tokenText(vocabulary, tokens[i])} follows the end of the game (token ${i + 1}).`,
        where,
      );
  return null;
}
