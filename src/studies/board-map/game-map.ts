import { fail, ok, type Result } from '../../base/result.ts';
import { fromSquare, toSquare } from '../../domains/chess/rules/move.ts';
import { PIECES } from '../../domains/chess/rules/pieces.ts';
import { Position } from '../../domains/chess/rules/position.ts';
import type { Prompt } from '../../domains/chess/prompt.ts';
import { uciOf } from '../../domains/chess/formats/uci.ts';
import { isCastling } from '../../domains/chess/notation/valid-tokens.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import type { Measuring } from '../asking/measuring.ts';
import { nextToken, tokensOf } from '../asking/next-token.ts';
import { fitsPrompt, knowsPieceNames, namesEveryPiece, squareTokens } from '../asking/prompting.ts';

/** Where a model sees the pieces, ply by ply through one game. Board arrays are [64], a1 first. */
export interface GameMap {
  /** UCI moves of the game. */
  moves: string[];
  /** [(plies + 1) * 64] piece codes of the true boards (0 empty; low three bits 1 to 6 for P N B R Q K, bit 3 Black). */
  boards: Uint8Array;
  /**
   * [(plies + 1) * 6 * 64] for the side to move after each ply and each kind P N B R Q K: probability that the model
   * answers the Start prompt of that kind with this square.
   */
  pieces: Float32Array;
  /**
   * [(plies + 1) * 64] agreement with the truth, 0 to 1. On a square from which the side to move may move a piece: of
   * the probability that the kinds' prompts put on it, the share of its own kind's, so that a piece counts as seen though
   * the model would rather move another of its kind; one that sees nothing has 1 over the number of kinds. (The
   * probability times the number of such squares was rejected: it tells what a model likes to move.) On every other
   * square: 1 minus the largest probability that any kind of piece starts there. Only kinds that may move are asked: of
   * the others the prompt has no right answer (a bishop before any pawn has moved).
   */
  agreement: Float32Array;
  /** False where the model never saw piece names, so that `pieces` means nothing. */
  knowsPieceNames: boolean;
}

/** For the page: what the film of boards tells, and what it is for the best and the worst of models. */
export const gameMapDescription =
  'After every ply the model is asked, for each kind of piece, from which square the side to move would move one. No ' +
  'board is ever shown to it, so where its answers lie is the board that it has made for itself. A perfect model names ' +
  'each square only for the kind that stands there, and the map agrees everywhere; to one that knows nothing every kind ' +
  'is as likely on a square as any other. Kinds of which no piece may move are passed ' +
  'over, since there the question has no right answer.';

/**
 * All six Start prompts after every ply of a game (legal from the initial position). Each ply is one call that goes on
 * from what the engine kept of the ply before, so a game costs about one pass over it plus six tokens a ply.
 * Pauses after each ply. Fails with `too-long` where the game and its questions do not fit the context, and `cancelled`.
 */
export function mapGame(
  engine: Engine,
  notation: Notation,
  moves: ArrayLike<number>,
  options: Measuring = {},
): Promise<Result<GameMap>> {
  const pause = pauseOf(options);
  const plies = moves.length;
  return endedEarly(async () => {
    const trace = Uint16Array.from(moves);
    if (!fitsPrompt(trace, notation, engine.model.context)) return tooLong(engine);
    const asked = PIECES.map((letter) => notation.vocabulary.id(letter)!);
    const squares = squareTokens(notation);
    const map: GameMap = {
      moves: Array.from(trace, uciOf),
      boards: new Uint8Array((plies + 1) * 64),
      pieces: new Float32Array((plies + 1) * 6 * 64),
      agreement: new Float32Array((plies + 1) * 64),
      knowsPieceNames: knowsPieceNames(notation),
    };
    const position = Position.initial();
    for (let ply = 0; ply <= plies; ply++) {
      if (ply > 0) position.play(trace[ply - 1]);
      const prefix = tokensOf(notation, trace.subarray(0, ply));
      const { leaves } = await nextToken(engine, notation, prefix, asked);
      const pieces = map.pieces.subarray(ply * 384, (ply + 1) * 384);
      leaves.forEach((probabilities, kind) => pieces.set(onSquares(probabilities, squares), kind * 64));
      map.boards.set(position.board, ply * 64);
      map.agreement.set(agreementOf(position, pieces), ply * 64);
      options.onProgress?.({ label: `Ply ${ply} of ${plies}`, share: (ply + 1) / (plies + 1) });
      await pause();
    }
    return ok(map);
  });
}

/** [64] agreement of [6 * 64] Start probabilities with a position; see GameMap.agreement. */
function agreementOf(position: Position, pieces: Float32Array): Float32Array {
  const movable = new Set(position.legalMoves().map(fromSquare));
  const counts = new Uint8Array(6);
  for (const square of movable) counts[(position.pieceAt(square) & 7) - 1]++;
  return Float32Array.from({ length: 64 }, (_, square) => {
    const kind = (position.pieceAt(square) & 7) - 1;
    let largest = 0;
    let sum = 0;
    for (let asked = 0; asked < 6; asked++)
      if (counts[asked] > 0) {
        const chance = pieces[asked * 64 + square];
        largest = Math.max(largest, chance);
        sum += chance;
      }
    if (!movable.has(square)) return 1 - largest;
    return sum > 0 ? pieces[kind * 64 + square] / sum : 0;
  });
}

/** Where every movable piece of the side to move would go, asked one by one. */
export interface EndMap {
  /** The prompt in canonical UCI text, its question left out. */
  canonical: string;
  pieces: {
    /** Square of the piece, and its kind 1 to 6 for P N B R Q K. */
    from: number;
    kind: number;
    /** [64] probability of each destination. */
    to: Float32Array;
    legal: number[];
    /** Probability on legal destinations. */
    legalMass: number;
  }[];
}

/**
 * The End prompt of every piece that may move after a prompt's moves (its own question is left out), by ascending
 * square. A model that always sees piece names is asked with them, and castling, which it writes without one, is then no
 * legal destination. Fails with `too-long`.
 */
export async function mapEnds(engine: Engine, notation: Notation, prompt: Prompt): Promise<Result<EndMap>> {
  if (!fitsPrompt(prompt.moves, notation, engine.model.context)) return tooLong(engine);
  const named = namesEveryPiece(notation);
  const { position } = prompt;
  const destinations = new Map<number, number[]>();
  for (const move of position.legalMoves()) {
    const from = fromSquare(move);
    const to = toSquare(move);
    if (named && isCastling(position, move)) continue;
    const known = destinations.get(from) ?? [];
    if (!known.includes(to)) destinations.set(from, [...known, to]);
  }
  const froms = [...destinations.keys()].sort((a, b) => a - b);
  const squares = squareTokens(notation);
  const moves = tokensOf(notation, prompt.moves);
  const probabilities = new Map<number, Float32Array>();
  const ask = async (prefix: readonly number[], asked: readonly number[]): Promise<void> => {
    const leaves = asked.map((from) => squares[from]);
    const found = await nextToken(engine, notation, prefix, leaves);
    asked.forEach((from, i) => probabilities.set(from, found.leaves[i]));
  };
  if (!named) await ask(moves, froms);
  else
    for (const [kind, letter] of PIECES.entries()) {
      const own = froms.filter((from) => (position.pieceAt(from) & 7) === kind + 1);
      if (own.length > 0) await ask([...moves, notation.vocabulary.id(letter)!], own);
    }
  return ok({
    canonical: prompt.uci.join(' '),
    pieces: froms.map((from) => {
      const to = onSquares(probabilities.get(from)!, squares);
      const legal = destinations.get(from)!.sort((a, b) => a - b);
      return {
        from,
        kind: position.pieceAt(from) & 7,
        to,
        legal,
        legalMass: legal.reduce((sum, square) => sum + to[square], 0),
      };
    }),
  });
}

function onSquares(probabilities: Float32Array, squares: readonly number[]): Float32Array {
  return Float32Array.from(squares, (token) => probabilities[token]);
}

function tooLong(engine: Engine): ReturnType<typeof fail> {
  const { context } = engine.model;
  return fail('too-long', `The game does not fit this model, which reads at most ${context} tokens; give fewer moves.`);
}
