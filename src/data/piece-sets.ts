import type { Batch } from '../base/batch.ts';
import type { Notation } from '../domains/domain.ts';
import type { Corpus } from './corpus.ts';

/** Every name is drawn. */
const always = { next: () => 0, below: () => 0, normal: () => 0 };

/** A game's tokens with the name of the piece before every move that can have one. */
export const fullyNamed = (notation: Notation, trace: Uint16Array): number[] =>
  notation.encode(trace, { random: always, closed: true });

/**
 * The piece that moves as a second target behind its start square, in the form of the sets of `Batch.valid`: in the place of
 * each end square the set has that piece's name alone, so that the semantic loss of the set is the name's cross-entropy;
 * everywhere else all tokens, whose loss is zero. So a model learns of every move what stood on its start square, and no
 * token is added that it would have to read.
 * @param games numbers of the games in the batch's rows, whose names were drawn by chance
 * @returns [N, ceil(V / 32)]
 */
export function pieceSets(notation: Notation, corpus: Corpus, games: ArrayLike<number>, batch: Batch): Int32Array {
  const { vocabulary, mutedInEvaluation } = notation;
  const words = Math.ceil(vocabulary.size / 32);
  const { tokens, offsets } = batch;
  // No bit beyond the vocabulary, where kernels would read the next row's logits.
  const all = Int32Array.from({ length: words }, (_, word) => -1 >>> Math.max(0, 32 * (word + 1) - vocabulary.size));
  const sets = Int32Array.from({ length: tokens.length * words }, (_, at) => all[at % words]);
  for (let row = 0; row < games.length; row++) {
    const named = fullyNamed(notation, corpus.trace(games[row]));
    for (let at = 0, place = offsets[row]; place < offsets[row + 1] - 1; at++) {
      // A name that was not drawn.
      if (named[at] !== tokens[place]) continue;
      place++;
      const name = named[at - 1];
      if (at === 0 || !mutedInEvaluation.includes(name)) continue;
      sets.fill(0, place * words, (place + 1) * words);
      sets[place * words + (name >> 5)] = 1 << (name & 31);
    }
  }
  return sets;
}
