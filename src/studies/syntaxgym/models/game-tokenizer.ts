import { fail, ok } from '../../../base/result.ts';
import { parseUciMove } from '../../../domains/chess/formats/uci.ts';
import type { Notation } from '../../../domains/domain.ts';
import { namesEveryPiece } from '../../asking/prompting.ts';
import type { ModelSpec } from '../model-spec.ts';
import type { ReadSentence, SentenceReader } from './sentence-reader.ts';

/**
 * Sentences of moves in a notation. Tokens that it mutes in evaluation are muted here too, but in sentences that contain
 * one.
 */
export function gameReader(notation: Notation): SentenceReader {
  return {
    spec: (name) => gameSpec(notation, name),
    read(sentence) {
      const cut = splitToken(notation, sentence);
      if (cut !== null)
        return fail('split-token', `this model reads "${cut}" as one token; a region must not end within it.`);
      return ok(tokenizeMoves(notation, sentence));
    },
    muted: (ids) => (ids.some((id) => notation.mutedInEvaluation.includes(id)) ? [] : notation.mutedInEvaluation),
  };
}

/**
 * Reads moves written in the game's own text, in any notation and whether they are legal or not: a word that is a token
 * is that token, another is cut into the longest tokens from the left (e2e4 into e2 and e4). The begin token comes
 * first. Where the notation names every piece, the name comes before the squares of a move. A word that cannot be
 * written becomes the padding token, which the vocabularies have instead of an unknown word and no model has learned.
 */
export function tokenizeMoves(notation: Notation, sentence: string): ReadSentence {
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

/**
 * Tokens of the next word of a game with the piece's name before it; null for a word that is no move of a piece. A move
 * may be cut in two: its name then stands before the start square, also where the move turns out to be castling.
 */
function pieceNames(notation: Notation): (word: string) => number[] | null {
  const events: number[] = [];
  let from: string | null = null;
  const tokensAfter = (move: string): { event: number; tokens: number[] } | null => {
    const event = parseUciMove(move);
    if (!event.ok) return null;
    const encode = (game: number[]): number[] => notation.encode(game, { random: null, closed: false });
    const tokens = encode([...events, event.value]).slice(encode(events).length);
    // An empty square has no name.
    return tokens.some((token) => token < 0) ? null : { event: event.value, tokens };
  };
  return (word) => {
    if (/^[a-h][1-8]$/.test(word)) {
      const start = from;
      from = start === null ? word : null;
      if (start === null)
        return tokensAfter(word + word[0] + (word[1] === '1' ? '2' : '1'))?.tokens.slice(0, -1) ?? null;
      const found = tokensAfter(start + word);
      if (found) events.push(found.event);
      return null;
    }
    const found = tokensAfter(word);
    if (found) events.push(found.event);
    return found?.tokens ?? null;
  };
}

/** Two neighbouring words that are one token together, such as "e2 e4" where a token is a move; null where there are none. */
export function splitToken({ vocabulary, tokensPer }: Notation, sentence: string): string | null {
  if (tokensPer === 'square') return null;
  const words = sentence.split(/\s+/);
  const at = words.findIndex((word, i) => i > 0 && vocabulary.id(words[i - 1] + word) !== undefined);
  return at < 0 ? null : `${words[at - 1]} ${words[at]}`;
}
