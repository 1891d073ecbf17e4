import type { Random } from '../../base/random.ts';
import { explainIllegal } from '../../domains/chess/rules/explain.ts';
import { fromSquare, packMove } from '../../domains/chess/rules/move.ts';
import { KIND_LETTERS, KIND_NAMES, PAWN, PROMOTION_LETTERS, QUEEN } from '../../domains/chess/rules/pieces.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { parseSquare } from '../../domains/chess/rules/squares.ts';
import { isCastling } from '../../domains/chess/notation/valid-tokens.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { nextToken } from './next-token.ts';
import { namesEveryPiece } from './prompting.ts';

/** How a token is taken from probabilities [V]. */
export type Sampler = (probabilities: Float32Array) => number;

/** The likeliest token; ties go to the lower id. */
export const greedily: Sampler = (probabilities) => {
  let best = 0;
  for (let token = 1; token < probabilities.length; token++)
    if (probabilities[token] > probabilities[best]) best = token;
  return best;
};

/** A sample at a temperature; at temperature 0 the likeliest token. */
export function samplerAt(temperature: number, random: Random): Sampler {
  if (temperature === 0) return greedily;
  return (probabilities) => {
    const largest = probabilities[greedily(probabilities)];
    const weights = Float64Array.from(probabilities, (p) => (p / largest) ** (1 / temperature));
    let at = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
    for (let token = 0; token < weights.length; token++) {
      at -= weights[token];
      if (at < 0) return token;
    }
    return greedily(probabilities);
  };
}

/** What a model wrote where a move should stand. */
export interface WrittenMove {
  /** "g1f3", "e7e8q", "Ng1f3" in UCI+AP, or other tokens end to end. */
  text: string;
  /** The move, if it is legal and named as the notation has it. */
  move: number | null;
  /** Whether it ended the game instead. */
  ended: boolean;
  /** Why it is no legal move, in plain words; null where it is one or ended the game. */
  why: string | null;
}

/** A prefix that a model goes on writing: the probabilities [V] of its next token, and the token that was taken. */
export interface TokenStream {
  probabilities(): Promise<Float32Array>;
  write(token: number): void;
}

/** A stream behind a prefix (begin token included). */
export function streamAfter(engine: Engine, notation: Notation, prefix: readonly number[]): TokenStream {
  const written: number[] = [];
  return {
    probabilities: async () => (await nextToken(engine, notation, [...prefix, ...written])).root,
    write: (token) => void written.push(token),
  };
}

/**
 * Lets a model write one move, token by token, and judges it by the rules; nothing is repaired. After a legal move the
 * stream stands at its end. Three more tokens must fit the context, four for UCI+AP.
 */
export async function writeMove(
  stream: TokenStream,
  notation: Notation,
  position: Position,
  choose: Sampler,
): Promise<WrittenMove> {
  const written: string[] = [];
  for (;;) {
    const token = choose(await stream.probabilities());
    stream.write(token);
    written.push(notation.vocabulary.tokens[token]);
    const judged = judgeMove(notation, position, written);
    if (judged !== null) return judged;
  }
}

/**
 * What the tokens of a move come to by the rules; null while they are only its beginning. A pawn that may become another
 * piece must say which, and a model of UCI+AP must name the piece that it moves, castling aside.
 */
export function judgeMove(notation: Notation, position: Position, written: readonly string[]): WrittenMove | null {
  const { tokens, end } = notation.vocabulary;
  const text = written.join('');
  const wrong = (why: string, said = text): WrittenMove => ({ text: said, move: null, ended: false, why });
  const [first] = written;
  if (first === tokens[end]) return { text, move: null, ended: true, why: null };
  const named = namesEveryPiece(notation);
  const name = named ? Math.max(0, KIND_LETTERS.indexOf(first as (typeof KIND_LETTERS)[number])) : 0;
  const [start, goal, promotion] = written.slice(name > 0 ? 1 : 0);
  if (start === undefined) return null;
  const from = parseSquare(start);
  if (!from.ok) return wrong(`${start} is not a square to start from`);
  if (goal === undefined) return null;
  const to = parseSquare(goal);
  if (!to.ok) return wrong(`${goal} is not a square to go to`);
  let move = packMove(from.value, to.value);
  if (mustPromote(position, from.value, to.value)) {
    if (promotion === undefined) return null;
    const kind = PROMOTION_LETTERS.indexOf(promotion as 'q');
    if (kind < 2) return wrong('it does not say what the pawn becomes', written.slice(0, -1).join(''));
    move = packMove(from.value, to.value, kind);
  }
  if (!position.isLegal(move)) return wrong(explainIllegal(position, from.value, to.value).why);
  const misnamed = named ? whyMisnamed(position, move, name) : null;
  return misnamed === null ? { text, move, ended: false, why: null } : wrong(misnamed);
}

/** Why a legal move carries the wrong name (a piece kind, 0 for none); null where it is right. */
function whyMisnamed(position: Position, move: number, name: number): string | null {
  const kind = position.pieceAt(fromSquare(move)) & 7;
  const castles = isCastling(position, move);
  if (name === (castles ? 0 : kind)) return null;
  if (castles) return 'castling carries no piece name';
  const there = KIND_NAMES[kind];
  return name === 0
    ? `does not name the ${there} it moves`
    : `names a ${KIND_NAMES[name]}, but a ${there} makes the move`;
}

/** Whether a legal move between these squares has to name the piece that the pawn becomes. */
function mustPromote(position: Position, from: number, to: number): boolean {
  return (position.pieceAt(from) & 7) === PAWN && position.isLegal(packMove(from, to, QUEEN));
}
