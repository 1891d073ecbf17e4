import type { Notation } from '../domains/domain.ts';

/**
 * Makes the sets of `Notation.valid` those of the objective "legal". Whether a name stands before a move, and whether a game
 * ends after it, is up to the game and not to the rules. So names and the end are in every set, also in mid-move, where
 * nothing ever tempts a model to write them; where one of them stands, all tokens are.
 * @param tokens [N]
 * @param sets [N, ceil(V / 32)] as `Notation.valid` has them; changed in place
 */
export function leaveSpelling(notation: Notation, tokens: ArrayLike<number>, sets: Int32Array): void {
  const { vocabulary, mutedInEvaluation } = notation;
  const words = Math.ceil(vocabulary.size / 32);
  const setOf = (members: Iterable<number>): Int32Array => {
    const set = new Int32Array(words);
    for (const token of members) set[token >> 5] |= 1 << (token & 31);
    return set;
  };
  const free = setOf([...mutedInEvaluation, vocabulary.end]);
  const all = setOf(vocabulary.tokens.keys());
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const added = (free[token >> 5] >> (token & 31)) & 1 ? all : free;
    for (let word = 0; word < words; word++) sets[at * words + word] |= added[word];
  }
}
