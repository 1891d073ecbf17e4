import { parseUciMove } from '../../../domains/chess/uci.ts';
import type { Notation } from '../../../domains/domain.ts';
import { namesEveryPiece } from '../../asking/prompting.ts';
import type { ModelSpec } from '../model-spec.ts';
import type { Tokens } from '../suite-model.ts';

/** A sentence of moves in a notation's tokens. */
export interface GameTokens extends Tokens {
  ids: readonly number[];
  starts: readonly number[];
}

/**
 * Reads moves written in the game's own text, in any notation and whether they are legal or not: a word that is a token
 * is that token, another is cut into the longest tokens from the left (e2e4 into e2 and e4). The begin token comes
 * first. Where the notation names every piece, the name comes before the squares of a move. A word that cannot be
 * written becomes the padding token, which the vocabularies have instead of an unknown word and no model has learned.
 */
export function tokenizeMoves(notation: Notation, sentence: string): GameTokens {
  const { vocabulary } = notation;
  const ids = [vocabulary.begin];
  const starts = [0];
  const named = namesEveryPiece(notation) ? pieceNames(notation) : null;
  for (const { 0: word, index } of sentence.matchAll(/\S+/g)) {
    const tokens = named?.(word) ?? cutWord(notation, word) ?? [vocabulary.pad];
    for (const token of tokens) {
      ids.push(token);
      starts.push(index);
    }
  }
  const tokens = ids.map((id) => vocabulary.tokens[id]);
  return { ids, tokens, starts, unknown: ids.map((id) => id === vocabulary.pad) };
}

/** What lm-zoo is told of a notation's vocabulary. */
export function gameSpec({ vocabulary }: Notation, name: string): ModelSpec {
  const { tokens, pad, begin, end } = vocabulary;
  return {
    name,
    vocabulary: {
      items: [...tokens],
      unk_types: [tokens[pad]],
      prefix_types: [tokens[begin]],
      suffix_types: [tokens[end]],
      special_types: [],
    },
    tokenizer: { type: 'word', cased: true },
  };
}

/** The longest tokens from the left; null where something is left over. */
function cutWord({ vocabulary }: Notation, word: string): number[] | null {
  const ids: number[] = [];
  for (let at = 0; at < word.length;) {
    let end = word.length;
    while (end > at && vocabulary.id(word.slice(at, end)) === undefined) end--;
    if (end === at) return null;
    ids.push(vocabulary.id(word.slice(at, end))!);
    at = end;
  }
  return ids;
}

/** Tokens of the next move of a game with its piece's name; null for a word that is no move of a piece. */
function pieceNames(notation: Notation): (word: string) => number[] | null {
  const events: number[] = [];
  let known = 1;
  return (word) => {
    const move = parseUciMove(word);
    if (!move.ok) return null;
    const tokens = notation.encode([...events, move.value], { random: null, closed: false }).slice(known);
    // An empty square has no name.
    if (tokens.some((token) => token < 0)) return null;
    events.push(move.value);
    known += tokens.length;
    return tokens;
  };
}
