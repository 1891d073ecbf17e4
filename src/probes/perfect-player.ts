import { PAWN } from '../domains/chess/pieces.ts';
import { Position } from '../domains/chess/position.ts';
import { SQUARES } from '../domains/chess/squares.ts';
import type { Notation } from '../domains/domain.ts';
import type { Engine } from '../engine/engine.ts';

/** A story as a fake model reads it: the position, and what is written of the next move. */
export interface ReadStory {
  position: Position;
  moves: number[];
  kind: number | null;
  from: number | null;
  /** Set where a pawn has arrived and must say what it becomes. */
  to: number | null;
}

/** The tokens that may come next, told by name; each equally likely. */
export type Answers = (story: ReadStory) => string[];

/** Every token that the rules allow; the end token where there is none. For tests: the best a model can be. */
export const byTheRules: Answers = ({ position, kind, from, to }) => {
  const legal = position
    .legalMoves()
    .filter((move) => kind === null || (position.pieceAt(move & 63) & 7) === kind)
    .filter((move) => from === null || (move & 63) === from)
    .filter((move) => to === null || ((move >> 6) & 63) === to);
  const next = legal.map((move) =>
    from === null ? SQUARES[move & 63] : to === null ? SQUARES[(move >> 6) & 63] : 'nbrq'[(move >> 12) - 2],
  );
  return next.length === 0 ? ['</s>'] : [...new Set(next)];
};

/** An engine of fixed answers, for tests of measures. It reads tokens as the rules do and knows nothing else. */
export function fakeEngine(notation: Notation, answers: Answers, context = 512): Engine {
  const logits = (tokens: readonly number[]): Float32Array => {
    const values = new Float32Array(notation.vocabulary.size).fill(-1e9);
    for (const token of answers(read(notation, tokens))) values[notation.vocabulary.id(token)!] = 0;
    return values;
  };
  return {
    model: { context },
    leafLogits: async (prefixes: readonly (readonly number[])[], leaves: readonly (readonly number[])[]) =>
      prefixes.map((prefix, i) => {
        if (prefix.length + Math.min(1, leaves[i].length) > context) throw new RangeError('does not fit');
        return { root: logits(prefix), leaves: leaves[i].map((leaf) => logits([...prefix, leaf])) };
      }),
  } as unknown as Engine;
}

function read(notation: Notation, tokens: readonly number[]): ReadStory {
  const story: ReadStory = { position: Position.initial(), moves: [], kind: null, from: null, to: null };
  const play = (move: number): void => {
    story.position.play(move);
    story.moves.push(move);
    story.kind = story.from = story.to = null;
  };
  for (const token of tokens.slice(1)) {
    const word = notation.vocabulary.tokens[token];
    const square = SQUARES.indexOf(word);
    if (square < 0 && 'nbrq'.includes(word)) play(story.from! | (story.to! << 6) | (('nbrq'.indexOf(word) + 2) << 12));
    else if (square < 0) story.kind = 'PNBRQK'.indexOf(word) + 1;
    else if (story.from === null) story.from = square;
    else if ((story.position.pieceAt(story.from) & 7) === PAWN && (square < 8 || square >= 56)) story.to = square;
    else play(story.from | (square << 6));
  }
  return story;
}
