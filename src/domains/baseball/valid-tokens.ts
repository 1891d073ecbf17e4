import { unwrap } from '../../base/result.ts';
import { nextTokens, tokenIdsOf } from './next-tokens.ts';
import { BaseballState } from './state.ts';
import { BEGIN_TOKEN, END_TOKEN, vocabulary } from './vocabulary.ts';

/** 32-bit words of a set of tokens. */
const WORDS = Math.ceil(vocabulary.size / 32);

/**
 * For each token of a game, all that the rules allow in its place, given those before it (`Notation.valid`): the legal
 * verbs, then what may follow the verb. Where the game ends, the end token has no alternative.
 * @returns bit masks [tokens, ceil(V / 32)]
 * @throws where the tokens do not tell the trace, or the trace breaks the rules
 */
export function validTokens(trace: ArrayLike<number>, tokens: ArrayLike<number>): Int32Array {
  const sets = new Int32Array(tokens.length * WORDS);
  const state = new BaseballState();
  let at = 0;
  const pass = (allowed: readonly number[], told: number): void => {
    if (at >= tokens.length) return;
    if (tokens[at] !== told || !allowed.includes(told))
      throw new Error(`token ${at + 1}, ${vocabulary.tokens[tokens[at]]}, is no part of this game`);
    for (const token of allowed) sets[at * WORDS + (token >> 5)] |= 1 << (token & 31);
    at++;
  };
  pass([BEGIN_TOKEN], BEGIN_TOKEN);
  for (let i = 0; i < trace.length && at < tokens.length; i++) {
    const ids = tokenIdsOf(trace[i]);
    for (let j = 0; j < ids.length && at < tokens.length; j++) pass(unwrap(nextTokens(state, ids.slice(0, j))), ids[j]);
    state.play(trace[i]);
  }
  pass([END_TOKEN], END_TOKEN);
  if (at < tokens.length) throw new Error(`token ${at + 1} follows the end of the game`);
  return sets;
}
