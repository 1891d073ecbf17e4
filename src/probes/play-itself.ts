import type { Random } from '../base/random.ts';
import { explainIllegal } from '../domains/chess/explain.ts';
import { outcomeOf } from '../domains/chess/outcome.ts';
import { KIND_NAMES } from '../domains/chess/pieces.ts';
import { Position } from '../domains/chess/position.ts';
import { parseSquare, squareName } from '../domains/chess/squares.ts';
import { uciOf } from '../domains/chess/uci.ts';
import { isCastling } from '../domains/chess/valid-tokens.ts';
import type { Notation } from '../domains/domain.ts';
import type { Continuation, Engine } from '../engine/engine.ts';
import { mute, probabilities } from './metrics.ts';
import { namesEveryPiece } from './prompting.ts';
import type { SelfPlayGame, SelfPlayPly } from './self-play.ts';

const NAMES = ['', 'P', 'N', 'B', 'R', 'Q', 'K'];
const PROMOTIONS = ['', '', 'n', 'b', 'r', 'q'];

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
  const position = Position.initial();
  const moves: number[] = [];
  const game: SelfPlayGame = { step: options.step, plies: [], legalPlies: 0, ending: '' };
  let line = engine.continue(notation.encode(moves, { random: null, closed: false }));
  try {
    while (game.ending === '') {
      const start = await chances(line, notation);
      const first = draw(start, options);
      // Players resign, so a game may end anywhere but before it began.
      if (first === notation.vocabulary.end && moves.length > 0) {
        game.ending = 'The model ended the game';
        break;
      }
      const wrote = await writeMove(line, notation, first, position, options);
      const legal = wrote.words === null;
      let { move } = wrote;
      if (!legal) {
        // The attempt is in the model's memory now; it goes on from the same moves without it.
        line.dispose();
        line = engine.continue(notation.encode(moves, { random: null, closed: false }));
        move = await likeliestLegal(line, notation, start, position);
      }
      if (move === null || position.legalMoves().length === 0) {
        game.ending = 'No legal move is left';
        break;
      }
      const ply: SelfPlayPly = { wrote: wrote.text, legal, words: legal ? null : wrote.words, played: uciOf(move) };
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

async function chances(line: Continuation, notation: Notation): Promise<Float32Array> {
  return probabilities(mute(await line.logits(), notation.mutedInEvaluation));
}

function draw(chances: Float32Array, { temperature, random }: { temperature: number; random: Random }): number {
  const weights = chances.map((p) => p ** (1 / temperature));
  let at = random.next() * weights.reduce((sum, w) => sum + w, 0);
  for (let token = 0; token < weights.length; token++) {
    at -= weights[token];
    if (at < 0) return token;
  }
  return weights.indexOf(Math.max(...weights));
}

interface Written {
  text: string;
  /** Null where the tokens are no move at all. */
  move: number | null;
  /** Why it is not legal, or not written as the notation has it; null where it is both. */
  words: string | null;
}

/** Lets the model write the rest of a move whose first token is drawn; leaves the move's tokens in `line`. */
async function writeMove(
  line: Continuation,
  notation: Notation,
  first: number,
  position: Position,
  options: { temperature: number; random: Random },
): Promise<Written> {
  const { tokens } = notation.vocabulary;
  const wrote: string[] = [];
  const write = (token: number): string => {
    line.advance(token);
    wrote.push(tokens[token]);
    return tokens[token];
  };
  const next = async (): Promise<string> => write(draw(await chances(line, notation), options));
  const nothing = (words: string): Written => ({ text: wrote.join(''), move: null, words });
  const begin = write(first);
  const name = namesEveryPiece(notation) ? Math.max(0, NAMES.indexOf(begin)) : 0;
  const from = parseSquare(name > 0 ? await next() : begin);
  const to = parseSquare(await next());
  if (!from.ok || !to.ok) return nothing('is not a move');
  let promotion = 0;
  if (isPromotion(position, from.value, to.value)) {
    const third = draw(await chances(line, notation), options);
    promotion = Math.max(0, PROMOTIONS.indexOf(tokens[third]));
    if (promotion >= 2) write(third);
    else return nothing('does not say what the pawn becomes');
  }
  const move = from.value | (to.value << 6) | (promotion << 12);
  const words = position.isLegal(move)
    ? namingWords(position, move, namesEveryPiece(notation) ? name : null)
    : explainIllegal(position, from.value, to.value).words;
  return { text: wrote.join(''), move, words };
}

/** Why a legal move carries the wrong name; null where it is right, or where moves carry none (`name` null). */
function namingWords(position: Position, move: number, name: number | null): string | null {
  const kind = position.pieceAt(move & 63) & 7;
  if (name === null || name === (isCastling(position, move) ? 0 : kind)) return null;
  if (isCastling(position, move)) return 'castling carries no piece name';
  const there = KIND_NAMES[kind];
  return name <= 0
    ? `does not name the ${there} it moves`
    : `names a ${KIND_NAMES[name]}, but a ${there} makes the move`;
}

function isPromotion(position: Position, from: number, to: number): boolean {
  return (position.pieceAt(from) & 7) === 1 && (to >> 3 === 7 || to >> 3 === 0);
}

/**
 * The legal move with the likeliest start square and, from there, the likeliest destination; played into `line`. Where
 * moves begin with names, the likeliest name (or, for castling, the king's square) comes before them.
 */
async function likeliestLegal(
  line: Continuation,
  notation: Notation,
  start: Float32Array,
  position: Position,
): Promise<number | null> {
  let legal = position.legalMoves();
  if (legal.length === 0) return null;
  const { vocabulary } = notation;
  const token = (square: number): number => vocabulary.id(squareName(square))!;
  const best = (squares: number[], given: Float32Array): number =>
    squares.reduce((a, b) => (given[token(b)] > given[token(a)] ? b : a));
  let given = start;
  if (namesEveryPiece(notation)) {
    const beginning = (move: number): number =>
      isCastling(position, move) ? token(move & 63) : vocabulary.id(NAMES[position.pieceAt(move & 63) & 7])!;
    const first = legal.map(beginning).reduce((a, b) => (start[b] > start[a] ? b : a));
    legal = legal.filter((move) => beginning(move) === first);
    if (!isCastling(position, legal[0])) {
      line.advance(first);
      given = await chances(line, notation);
    }
  }
  const from = best(
    legal.map((move) => move & 63),
    given,
  );
  line.advance(token(from));
  const fromHere = legal.filter((move) => (move & 63) === from);
  const to = best(
    fromHere.map((move) => (move >> 6) & 63),
    await chances(line, notation),
  );
  line.advance(token(to));
  // Among promotions to one square the queen comes first, as players choose.
  const move = Math.max(...fromHere.filter((candidate) => ((candidate >> 6) & 63) === to));
  const promotion = move >> 12;
  if (promotion >= 2) line.advance(vocabulary.id(PROMOTIONS[promotion])!);
  return move;
}
