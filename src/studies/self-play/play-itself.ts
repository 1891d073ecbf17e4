import type { Random } from '../../base/random.ts';
import { fromSquare, promotionOf, toSquare } from '../../domains/chess/rules/move.ts';
import { outcomeOf } from '../../domains/chess/rules/outcome.ts';
import { KIND_LETTERS, PROMOTION_LETTERS } from '../../domains/chess/rules/pieces.ts';
import { Position } from '../../domains/chess/rules/position.ts';
import { squareName } from '../../domains/chess/rules/squares.ts';
import { uciOf } from '../../domains/chess/formats/uci.ts';
import { isCastling } from '../../domains/chess/notation/valid-tokens.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Continuation, Engine } from '../../engine/engine.ts';
import { mute, probabilities } from '../asking/metrics.ts';
import { namesEveryPiece } from '../asking/prompting.ts';
import type { SelfPlayGame, SelfPlayPly } from './self-play.ts';
import { samplerAt, writeMove, type TokenStream } from '../asking/write-move.ts';

/**
 * The model plays both sides, its moves drawn at a low temperature. Where it writes an illegal move the
 * attempt is kept and the game goes on with the legal move it thinks likeliest, so that one sees every
 * mistake rather than the first alone. A model of UCI+AP must name the piece that it moves, castling aside: a move with
 * a wrong name, or without one, is illegal.
 */
export async function playItself(
  engine: Engine,
  notation: Notation,
  options: {
    step: number;
    plies: number;
    temperature: number;
    random: Random;
    onPly?: (game: SelfPlayGame) => void;
    pause?: () => Promise<void>;
  },
): Promise<SelfPlayGame> {
  const choose = samplerAt(options.temperature, options.random);
  const position = Position.initial();
  const moves: number[] = [];
  const game: SelfPlayGame = { step: options.step, plies: [], legalPlies: 0, ending: '' };
  let line = engine.continue(notation.encode(moves, { random: null, closed: false }));
  try {
    while (game.ending === '') {
      const wrote = await writeMove(streamOf(line, notation), notation, position, choose);
      // Players resign, so a game may end anywhere but before it began.
      if (wrote.ended && moves.length > 0) {
        game.ending = 'The model ended the game';
        break;
      }
      const legal = wrote.move !== null;
      let { move } = wrote;
      if (!legal) {
        // The attempt is in the model's memory now; it goes on from the same moves without it.
        line.dispose();
        line = engine.continue(notation.encode(moves, { random: null, closed: false }));
        move = await likeliestLegal(line, notation, position);
      }
      if (move === null || position.legalMoves().length === 0) {
        game.ending = 'No legal move is left';
        break;
      }
      const why = wrote.ended ? 'ends the game before the first move' : wrote.why;
      const ply: SelfPlayPly = { wrote: wrote.text, legal, why, played: uciOf(move) };
      position.play(move);
      moves.push(move);
      game.plies.push(ply);
      if (legal) game.legalPlies++;
      options.onPly?.(game);
      await options.pause?.();
      const over = outcomeOf(position);
      if (over !== null) game.ending = over;
      else if (moves.length >= options.plies || line.length + 6 > engine.model.context)
        game.ending = `Stopped after ${moves.length} plies`;
    }
    return game;
  } finally {
    line.dispose();
  }
}

async function nextToken(line: Continuation, notation: Notation): Promise<Float32Array> {
  return probabilities(mute(await line.logits(), notation.mutedInEvaluation));
}

/** A stream that goes on with a line, whose memory then holds what was written. */
function streamOf(line: Continuation, notation: Notation): TokenStream {
  return { probabilities: () => nextToken(line, notation), write: (token) => line.advance(token) };
}

/**
 * The legal move with the likeliest start square and, from there, the likeliest destination; played into `line`. Where
 * moves begin with names, the likeliest name (or, for castling, the king's square) comes before them.
 */
async function likeliestLegal(line: Continuation, notation: Notation, position: Position): Promise<number | null> {
  let legal = position.legalMoves();
  if (legal.length === 0) return null;
  const { vocabulary } = notation;
  const token = (square: number): number => vocabulary.id(squareName(square))!;
  const best = (squares: number[], given: Float32Array): number =>
    squares.reduce((a, b) => (given[token(b)] > given[token(a)] ? b : a));
  const start = await nextToken(line, notation);
  let given = start;
  if (namesEveryPiece(notation)) {
    const beginning = (move: number): number =>
      isCastling(position, move)
        ? token(fromSquare(move))
        : vocabulary.id(KIND_LETTERS[position.pieceAt(fromSquare(move)) & 7])!;
    const first = legal.map(beginning).reduce((a, b) => (start[b] > start[a] ? b : a));
    legal = legal.filter((move) => beginning(move) === first);
    if (!isCastling(position, legal[0])) {
      line.advance(first);
      given = await nextToken(line, notation);
    }
  }
  const from = best(legal.map(fromSquare), given);
  line.advance(token(from));
  const fromHere = legal.filter((move) => fromSquare(move) === from);
  const to = best(fromHere.map(toSquare), await nextToken(line, notation));
  line.advance(token(to));
  // Among promotions to one square the queen comes first, as players choose.
  const move = Math.max(...fromHere.filter((candidate) => toSquare(candidate) === to));
  const promotion = promotionOf(move);
  if (promotion >= 2) line.advance(vocabulary.id(PROMOTION_LETTERS[promotion])!);
  return move;
}
