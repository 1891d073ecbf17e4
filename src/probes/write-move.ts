import type { Random } from '../base/random.ts';
import { explainIllegal } from '../domains/chess/explain.ts';
import { PAWN } from '../domains/chess/pieces.ts';
import type { Position } from '../domains/chess/position.ts';
import { parseSquare } from '../domains/chess/squares.ts';
import { uciOf } from '../domains/chess/uci.ts';
import type { Notation } from '../domains/domain.ts';
import type { Engine } from '../engine/engine.ts';
import { nextToken } from './next-token.ts';

/** Kinds that a pawn may become, by the letter of the token. */
const PROMOTIONS = new Map([
  ['n', 2],
  ['b', 3],
  ['r', 4],
  ['q', 5],
]);

/** How a token is taken from probabilities [V]. */
export type Choose = (chances: Float32Array) => number;

/** The likeliest token; ties go to the lower id. */
export const greedily: Choose = (chances) => {
  let best = 0;
  for (let token = 1; token < chances.length; token++) if (chances[token] > chances[best]) best = token;
  return best;
};

/** A token drawn at a temperature; at temperature 0 the likeliest. */
export function drawn(temperature: number, random: Random): Choose {
  if (temperature === 0) return greedily;
  return (chances) => {
    const largest = chances[greedily(chances)];
    const weights = Float64Array.from(chances, (p) => (p / largest) ** (1 / temperature));
    let at = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
    for (let token = 0; token < weights.length; token++) {
      at -= weights[token];
      if (at < 0) return token;
    }
    return greedily(chances);
  };
}

/** What a model wrote where a move should stand. */
export interface WrittenMove {
  /** "g1f3", "e7e8q", or other tokens end to end. */
  text: string;
  /** The move, if it is legal. */
  move: number | null;
  /** Whether it ended the game instead. */
  ended: boolean;
  /** Why it is no legal move, in plain words; null where it is one or ended the game. */
  words: string | null;
}

/**
 * Lets a model write one move after a prefix, token by token, and judges it by the rules. A pawn that may become another
 * piece must say which; nothing is repaired. The prefix plus three tokens must fit the context; not for UCI+AP.
 */
export async function writeMove(
  engine: Engine,
  notation: Notation,
  prefix: readonly number[],
  position: Position,
  choose: Choose,
): Promise<WrittenMove> {
  const { tokens, end } = notation.vocabulary;
  const next = async (...written: number[]): Promise<number> =>
    choose((await nextToken(engine, notation, [...prefix, ...written])).root);
  const wrong = (text: string, words: string): WrittenMove => ({ text, move: null, ended: false, words });

  const first = await next();
  if (first === end) return { text: tokens[first], move: null, ended: true, words: null };
  const from = parseSquare(tokens[first]);
  if (!from.ok) return wrong(tokens[first], `${tokens[first]} is not a square to start from`);
  const second = await next(first);
  const text = tokens[first] + tokens[second];
  const to = parseSquare(tokens[second]);
  if (!to.ok) return wrong(text, `${tokens[second]} is not a square to go to`);
  let move = from.value | (to.value << 6);
  if (mustPromote(position, from.value, to.value)) {
    const letter = tokens[await next(first, second)];
    const kind = PROMOTIONS.get(letter);
    if (kind === undefined) return wrong(text, 'it does not say what the pawn becomes');
    move |= kind << 12;
  }
  if (position.isLegal(move)) return { text: uciOf(move), move, ended: false, words: null };
  return wrong(text, explainIllegal(position, from.value, to.value).words);
}

/** Whether a legal move between these squares has to name the piece that the pawn becomes. */
function mustPromote(position: Position, from: number, to: number): boolean {
  return (position.pieceAt(from) & 7) === PAWN && position.isLegal(from | (to << 6) | (5 << 12));
}
