import { fail, ok, type Result } from '../base/result.ts';
import type { Vocabulary } from './domain.ts';
import { followedBy, tokenText } from './vocabulary.ts';

/** What every vocabulary of SPLAT begins with. */
export const SPLAT_SPECIALS: readonly string[] = ['[pad]', '[start]', '[end]', '[sep]'];

/** What every notation "splat" has. */
export const SPLAT = { name: 'splat', nameShare: 0, tokensPer: 'event', mutedInEvaluation: [] } as const;

/** The words of a line between [start] and [end], which may be left out, and how many words stand before them. */
export function wordsOfLine(line: string): { words: string[]; before: 0 | 1 } {
  const words = line.split(/\s+/).filter((word) => word !== '');
  const before = words[0] === '[start]' ? 1 : 0;
  return { words: words.slice(before, words.length > before && words.at(-1) === '[end]' ? -1 : undefined), before };
}

/** The words of an encoded game between [start] and [end]. */
export function wordsOfGame(vocabulary: Vocabulary, tokens: ArrayLike<number>): Result<string[]> {
  const { pad, begin, end } = vocabulary;
  if (tokens[0] !== begin) return noBegin;
  let at = 1;
  while (at < tokens.length && tokens[at] !== end && tokens[at] !== pad) at++;
  const words = Array.from({ length: at - 1 }, (_, i) => tokenText(vocabulary, tokens[i + 1]));
  return followedBy(vocabulary, tokens, at) ?? ok(words);
}

export const noBegin = fail('no-begin', 'The tokens do not start with [start]; put it first.');

/**
 * `Notation.valid` where every event is one token: at each place the tokens of the legal events; where the game ends, the
 * end token alone.
 * @param game at its beginning; `play` goes on to the state after an event
 */
export function validEvents(
  vocabulary: Vocabulary,
  trace: ArrayLike<number>,
  tokens: ArrayLike<number>,
  game: { tokenOf: (event: number) => number; legal: () => number[]; play: (event: number) => void },
): Int32Array {
  const { size, begin, end } = vocabulary;
  const width = Math.ceil(size / 32);
  const sets = new Int32Array(tokens.length * width);
  for (let at = 0; at < tokens.length; at++) {
    const event = at > 0 && at <= trace.length ? trace[at - 1] : null;
    const allowed = event !== null ? game.legal().map(game.tokenOf) : [at === 0 ? begin : end];
    const told = event !== null ? game.tokenOf(event) : allowed[0];
    if (at > trace.length + 1 || tokens[at] !== told || !allowed.includes(told))
      throw new Error(`token ${at + 1}, ${tokenText(vocabulary, tokens[at])}, is no part of this game`);
    for (const token of allowed) sets[at * width + (token >> 5)] |= 1 << (token & 31);
    if (event !== null) game.play(event);
  }
  return sets;
}
