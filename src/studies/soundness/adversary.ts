import type { Random } from '../../base/random.ts';
import { fromSquare, promotionOf, toSquare } from '../../domains/chess/rules/move.ts';
import { outcomeOf } from '../../domains/chess/rules/outcome.ts';
import { PROMOTION_LETTERS } from '../../domains/chess/rules/pieces.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { nextToken, type NextToken } from '../asking/next-token.ts';
import { legalOneMove, type OneMove } from '../equivalence/one-move-language.ts';
import type { Adversary } from './soundness.ts';
import { greedily } from '../asking/write-move.ts';

/** Where an adversary is to move: the game's tokens and the position after them, which is not over. */
interface AttackedGame {
  prefix: readonly number[];
  position: Position;
  random: Random;
}

/**
 * An adversary's legal move (Balogh and Jelasity 2026, section 3.2). "own" and "least likely" choose token by token as the
 * authors do, the start square first, then the square to go to from there, then what a pawn becomes.
 */
export async function adversaryMove(
  engine: Engine,
  notation: Notation,
  adversary: Adversary,
  game: AttackedGame,
): Promise<number> {
  const legal = game.position.legalMoves().sort((a, b) => a - b);
  switch (adversary) {
    case 'random':
      return legal[game.random.below(legal.length)];
    case 'own':
      return byTokens(engine, notation, game.prefix, legal, 1);
    case 'least likely':
      return byTokens(engine, notation, game.prefix, legal, -1);
    case 'illegal mass':
      return towardsIllegal(engine, notation, game, legal);
  }
}

/** The tokens of a move. */
function moveTokens(notation: Notation, move: number): number[] {
  const words = [SQUARES[fromSquare(move)], SQUARES[toSquare(move)], PROMOTION_LETTERS[promotionOf(move)]];
  return words.filter((word) => word !== '').map((word) => notation.vocabulary.id(word)!);
}

/** The legal move whose tokens, one after the other, are the likeliest (sign 1) or least likely (-1) that go on legally. */
async function byTokens(
  engine: Engine,
  notation: Notation,
  prefix: readonly number[],
  legal: readonly number[],
  sign: number,
): Promise<number> {
  let left = legal.map((move) => ({ move, tokens: moveTokens(notation, move) }));
  for (let at = 0; left.length > 1; at++) {
    const { root } = await nextToken(engine, notation, [...prefix, ...left[0].tokens.slice(0, at)]);
    const best = left.reduce((a, b) => (sign * (root[b.tokens[at]] - root[a.tokens[at]]) > 0 ? b : a)).tokens[at];
    left = left.filter(({ tokens }) => tokens[at] === best);
  }
  return left[0].move;
}

/**
 * The move after which the model leans most towards breaking the rules. Moves that end the game are a last resort. As the
 * authors' oracle does, it first takes one after which the likeliest answer is illegal; else it maximises the illegal
 * mass, which takes in all answers where theirs looks at the likeliest illegal one alone.
 */
async function towardsIllegal(
  engine: Engine,
  notation: Notation,
  { prefix, position }: AttackedGame,
  legal: readonly number[],
): Promise<number> {
  let best = legal[0];
  let most = -1;
  for (const move of legal) {
    const after = position.clone();
    after.play(move);
    if (outcomeOf(after) !== null) continue;
    const answers = legalOneMove(notation, after);
    const asked = [...answers.keys()];
    const found = await nextToken(engine, notation, [...prefix, ...moveTokens(notation, move)], asked);
    const { mass, greedyIsIllegal } = illegalMass(notation, answers, found);
    const score = mass + (greedyIsIllegal ? 1 : 0);
    if (score > most) {
      most = score;
      best = move;
    }
  }
  return best;
}

/**
 * Probability that a model's next two tokens begin no legal move: what it puts on tokens that start none (the end token
 * left out, since a player may resign), plus, for every start square s of a legal move, p(s) times what it puts after s on
 * tokens where no legal move from s ends. What a pawn becomes, a third token, is not looked at.
 * `answers` as legalOneMove gives them; `found.leaves` in the order of their keys.
 */
export function illegalMass(
  notation: Notation,
  answers: OneMove,
  found: NextToken,
): { mass: number; greedyIsIllegal: boolean } {
  const { end } = notation.vocabulary;
  const top = greedily(found.root);
  let mass = 0;
  let greedyIsIllegal = top !== end && !answers.has(top);
  found.root.forEach((p, token) => {
    if (token !== end && !answers.has(token)) mass += p;
  });
  [...answers].forEach(([from, ends], i) => {
    let legal = 0;
    for (const to of ends) legal += found.leaves[i][to];
    mass += found.root[from] * (1 - legal);
    if (from === top && !ends.has(greedily(found.leaves[i]))) greedyIsIllegal = true;
  });
  return { mass, greedyIsIllegal };
}
