import type { Notation } from '../domains/domain.ts';

/**
 * Makes the sets of `Notation.valid` those of the objective "legal". Whether a name stands before a move, and whether a game
 * ends before it, is up to the game and not to the rules. So names and the end are in the set wherever a move begins, and
 * where one of them stands all tokens are. They are in no set in mid-move: a model that is unsure of the square would put
 * its probability there, where it counts as legal, and learn to end the game instead (docs/log.md).
 * @param tokens [N]
 * @param sets [N, ceil(V / 32)] as `Notation.valid` has them; changed in place
 * @param leftOut whether the names in `tokens` are to be left out: the set in a name's place is that of the move without it
 */
export function leaveSpelling(
  notation: Notation,
  tokens: ArrayLike<number>,
  sets: Int32Array,
  leftOut: boolean = false,
): void {
  const { vocabulary, mutedInEvaluation } = notation;
  const words = Math.ceil(vocabulary.size / 32);
  const setOf = (members: Iterable<number>): Int32Array => {
    const set = new Int32Array(words);
    for (const token of members) set[token >> 5] |= 1 << (token & 31);
    return set;
  };
  const free = setOf([...mutedInEvaluation, vocabulary.end]);
  const all = setOf(vocabulary.tokens.keys());
  const begins = notation.begins?.(tokens);
  for (let at = 0; at < tokens.length; at++) {
    const isFree = tokens[at] === vocabulary.end || (!leftOut && mutedInEvaluation.includes(tokens[at]));
    const added = isFree ? all : begins === undefined || begins[at] ? free : null;
    if (added === null) continue;
    for (let word = 0; word < words; word++) sets[at * words + word] |= added[word];
  }
}
