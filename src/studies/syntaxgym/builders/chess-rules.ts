import type { Random } from '../../../base/random.ts';
import { REACH, REACH_OF_KIND } from '../../../domains/chess/rules/geometry.ts';
import { fromSquare, packMove, promotionOf, toSquare } from '../../../domains/chess/rules/move.ts';
import { KING, PAWN } from '../../../domains/chess/rules/pieces.ts';
import { Position } from '../../../domains/chess/rules/position.ts';
import { positionAfter, uciLine } from '../../../domains/chess/replay.ts';
import { SQUARES } from '../../../domains/chess/rules/squares.ts';
import { uciOf } from '../../../domains/chess/formats/uci.ts';
import {
  kindOn,
  isOwn,
  unsafe,
  isEnPassant,
  wrongMoves,
  isCastlingShape,
  wrongPawnMoves,
  isDiscovered,
  ignoringCheck,
  openCastlings,
  isAttackedHere,
  lateEnPassant,
  type Point,
  ownSquares,
} from './chess-violations.ts';
import type { Contrast, SuiteRule } from './contrast.ts';

/** What a rule is called, before what it says of a point. */
function rule(name: string, title: string, tags: string[], comment: string) {
  const described = { name, title, comment, tags: ['rules of chess', ...tags] };
  return {
    /** Moves that the rule forbids, each beside each legal move that `beside` lets through. */
    forbids: (forbidden: Forbidden, beside: Beside = sameStart): SuiteRule<Position> => ({
      ...described,
      contrasts: (point) => contrasts(point.state, forbidden(point), beside),
    }),
    /** The same beside any legal move; balanced by points where what is legal here is illegal for whatever reason. */
    forbidsRarely: (forbidden: Forbidden): SuiteRule<Position> => ({
      ...described,
      contrasts: (point) => contrasts(point.state, forbidden(point), anyMove),
      balance: ({ state }) => {
        const legal = new Set(state.legalMoves().map(uciOf));
        const own = new Set(ownSquares(state).map((square) => SQUARES[square]));
        return {
          fits: (answer) => legal.has(answer),
          fails: (answer) => !legal.has(answer) && own.has(answer.slice(0, 2)),
        };
      },
    }),
    with: (told: Omit<SuiteRule<Position>, keyof typeof described>): SuiteRule<Position> => ({ ...described, ...told }),
  };
}

type Forbidden = (point: Point) => number[];
type Beside = (position: Position, forbidden: number, legal: number) => boolean;

function contrasts(position: Position, forbidden: number[], beside: Beside): Contrast[] {
  if (forbidden.length === 0) return [];
  const legal = position.legalMoves();
  return forbidden.flatMap((move) =>
    legal.filter((other) => beside(position, move, other)).map((other) => ({ fits: uciOf(other), fails: uciOf(move) })),
  );
}

/** Another move of the same piece, of as many tokens. */
function sameStart(_: Position, forbidden: number, legal: number): boolean {
  return fromSquare(legal) === fromSquare(forbidden) && promotionOf(legal) === 0;
}

/** Any move of as many tokens. */
function anyMove(_: Position, __: number, legal: number): boolean {
  return promotionOf(legal) === 0;
}

/** Squares of the four middle ranks, where moves of both sides begin and end. */
const isMiddle = (square: number): boolean => square >= 16 && square < 48;

/**
 * Castling with or without the right to it, its path attacked or not, or what balances it: castling that is legal beside a
 * step of the king that is not.
 */
function castling(wanted: { right: boolean; attacked: boolean }): (point: Point) => Contrast[] {
  return ({ state }) => {
    const forbidden = openCastlings(state)
      .filter(({ right }) => ((state.castling & right) !== 0) === wanted.right)
      .filter(({ path }) => path.some((to) => isAttackedHere(state, to)) === wanted.attacked)
      .map(({ move }) => move);
    const legal = state.legalMoves();
    const castlings = legal.filter((move) => isCastlingShape(state, move)).map(uciOf);
    const king = state.kingSquare(state.turn);
    const steps = Array.from({ length: 64 }, (_, to) => packMove(king, to)).filter(
      (move) => (REACH[king * 64 + toSquare(move)] & REACH_OF_KIND[KING]) !== 0 && !legal.includes(move),
    );
    return [
      ...contrasts(state, forbidden, sameStart),
      ...castlings.flatMap((fits) => steps.map((move) => ({ fits, fails: uciOf(move), control: true }))),
    ];
  };
}

/** Diagonal pawn moves that are legal beside the pawn's step ahead where that is not. */
function pawnCaptures({ state }: Point): Contrast[] {
  const legal = state.legalMoves();
  const forward = state.turn === 0 ? 8 : -8;
  return legal
    .filter((move) => kindOn(state, fromSquare(move)) === PAWN && promotionOf(move) === 0)
    .filter((move) => Math.abs(toSquare(move) - fromSquare(move)) % 8 !== 0)
    .map((move) => ({ move, ahead: packMove(fromSquare(move), fromSquare(move) + forward) }))
    .filter(({ ahead }) => !legal.includes(ahead))
    .map(({ move, ahead }) => ({ fits: uciOf(move), fails: uciOf(ahead), control: true }));
}

/** The rules of chess that the shipped suites test, each with what it forbids at a point of a game. */
export const CHESS_RULES: readonly SuiteRule<Position>[] = [
  rule(
    'turn',
    'Whose turn it is',
    ['position'],
    'A piece of the side whose turn it is moves, and not one of the other side.',
  ).forbids(
    ({ state }) => {
      if (state.inCheck()) return [];
      const other = state.clone();
      other.turn = (state.turn ^ 1) as typeof state.turn;
      other.enPassant = -1;
      const moves = other.inCheck() ? [] : other.legalMoves();
      return moves.filter((move) => isMiddle(fromSquare(move)) && isMiddle(toSquare(move)));
    },
    (_, __, legal) => isMiddle(fromSquare(legal)) && isMiddle(toSquare(legal)),
  ),
  rule(
    'vacated_square',
    'A square that was left',
    ['position', 'pieces'],
    'A piece that has moved away is no longer where it was.',
  ).forbids(
    ({ events, state }) =>
      events
        .slice(-12)
        .filter((move, i, recent) => (recent.length - i) % 2 === 0 && promotionOf(move) === 0)
        .filter((move) => state.board[fromSquare(move)] === 0),
    anyMove,
  ),
  rule(
    'captured_piece',
    'A piece that was captured',
    ['position', 'pieces'],
    'A piece that was captured moves no more.',
  ).forbids(
    ({ events, state }) =>
      // The last capture cannot be balanced: what took the piece stands on its square.
      [3, 5, 7]
        .filter((ago) => ago < events.length)
        .flatMap((ago) => {
          const square = toSquare(events[events.length - ago]);
          const before = positionAfter(events.slice(0, -ago));
          const isGone = before.board[square] !== 0 && !isOwn(state, square);
          if (!isGone) return [];
          before.turn = state.turn;
          before.enPassant = -1;
          return before.pseudoLegalMoves().filter((move) => fromSquare(move) === square && promotionOf(move) === 0);
        }),
    anyMove,
  ),
  rule(
    'piece_movement',
    'How each piece moves',
    ['pieces'],
    'A piece goes as its kind goes: a knight does not move like a bishop.',
  ).forbids(({ state }) => wrongMoves(state, 'shape')),
  rule(
    'pawn_movement',
    'How pawns move',
    ['pieces', 'pawns'],
    'A pawn goes two squares only from its first one, and diagonally only to capture.',
  ).forbids(({ state }) => wrongPawnMoves(state)),
  rule(
    'blocked_line',
    'Blocked lines',
    ['pieces', 'lines'],
    'A bishop, rook or queen does not jump over a piece.',
  ).forbids(({ state }) => wrongMoves(state, 'blocked')),
  rule('own_piece', 'A square that is taken', ['pieces'], 'A piece does not capture one of its own side.').forbids(
    ({ state }) => wrongMoves(state, 'own piece'),
  ),
  rule(
    'pin',
    'Pinned pieces',
    ['king safety', 'lines'],
    'A piece that stands between its king and an attacker does not leave the line.',
  ).forbidsRarely(({ state }) =>
    state.inCheck()
      ? []
      : unsafe(state).filter((move) => kindOn(state, fromSquare(move)) !== KING && !isEnPassant(state, move)),
  ),
  rule(
    'check',
    'Check must be met',
    ['king safety'],
    'A side in check moves its king, captures the attacker or blocks the line.',
  ).forbidsRarely((point) => (point.state.inCheck() && !isDiscovered(point) ? ignoringCheck(point) : [])),
  rule(
    'discovered_check',
    'Discovered check',
    ['king safety', 'lines'],
    'A check by a piece that did not move, whose line another piece has opened, must be met too.',
  ).forbidsRarely((point) => (point.state.inCheck() && isDiscovered(point) ? ignoringCheck(point) : [])),
  rule(
    'king_into_attack',
    'The king keeps out of attack',
    ['king safety'],
    'The king does not step on an attacked square.',
  ).forbids(({ state }) =>
    state.inCheck() ? [] : unsafe(state).filter((move) => kindOn(state, fromSquare(move)) === KING),
  ),
  rule(
    'castling_through_check',
    'Castling through check',
    ['special moves', 'king safety'],
    'The king does not castle out of, through or into an attacked square.',
  ).with({ contrasts: castling({ right: true, attacked: true }) }),
  rule(
    'castling_rights',
    'Castling rights lost',
    ['special moves', 'memory'],
    'A king that has moved, or whose rook has moved, does not castle, wherever they stand now.',
  ).with({ contrasts: castling({ right: false, attacked: false }) }),
  rule(
    'en_passant',
    'En passant only at once',
    ['special moves', 'pawns', 'memory'],
    'A pawn is taken en passant right after its double step, or never.',
  ).with({
    contrasts: (point) => [...contrasts(point.state, lateEnPassant(point), sameStart), ...pawnCaptures(point)],
  }),
  rule(
    'promotion',
    'Pawns promote, and only pawns',
    ['special moves', 'pawns'],
    'A pawn that reaches the last rank becomes another piece at once; no other piece does.',
  ).with({
    contrasts: ({ events, state }) => {
      const last = events[events.length - 1];
      const rank = toSquare(last) >> 3;
      if (rank !== (state.turn === 1 ? 7 : 0)) return [];
      const starts = [...new Set(state.legalMoves().map(fromSquare))].map((square) => SQUARES[square]);
      const pawn = promotionOf(last) > 0;
      return starts.map((start) => (pawn ? { fits: 'q', fails: start } : { fits: start, fails: 'q' }));
    },
    text: (events) => uciLine(events).replace(/[nbrq]$/, ''),
  }),
  {
    ...rule(
      'other_order',
      'The same board by other moves',
      ['position', 'transposition'],
      'Moves in another order that lead to the same board leave the same pieces where they are.',
    ).forbids(({ state }) => (['shape', 'blocked', 'own piece'] as const).flatMap((fault) => wrongMoves(state, fault))),
    text: (events, random) => {
      const reordered = otherOrder(events, random);
      return reordered && uciLine(reordered);
    },
  },
];

/** The moves with two of one side exchanged, one of them among the last dozen, where the same position results; else null. */
function otherOrder(events: readonly number[], random: Random): number[] | null {
  const target = positionAfter(events).key();
  for (let attempt = 0; attempt < 12; attempt++) {
    const later = events.length - 2 - random.below(12);
    const earlier = later - 2 * (1 + random.below(4));
    if (earlier < 0) continue;
    const changed = events.slice();
    [changed[earlier], changed[later]] = [events[later], events[earlier]];
    const position = Position.initial();
    if (changed.every((move) => position.tryPlay(move)) && position.key() === target) return changed;
  }
  return null;
}
