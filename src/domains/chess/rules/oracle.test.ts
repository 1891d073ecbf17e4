import { Chess } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { fenOf, INITIAL_FEN, parseFen } from '../formats/fen.ts';
import { claimableDraw, isInsufficientMaterial } from './outcome.ts';
import { repetitions } from './repetition.ts';
import { parseSan, sanOf } from '../formats/san.ts';
import { uciOf } from '../formats/uci.ts';

/** Positions where pawns promote, pass each other, castle and shuffle far more often than from the start. */
const STARTS = [
  INITIAL_FEN,
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1',
  '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1',
  '8/1P2k3/8/2pPp3/8/4K1p1/1p6/8 w - c6 0 40',
  'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1',
  '8/8/4k3/8/8/3BK3/8/5n2 w - - 90 80',
];

describe('rules against chess.js', () => {
  const met = {
    plies: 0,
    promotions: 0,
    enPassant: 0,
    castling: 0,
    checks: 0,
    mates: 0,
    stalemates: 0,
    threefold: 0,
    fifty: 0,
    bare: 0,
  };

  it.each(STARTS)('agree on legal moves, SAN, FEN, check and draws from %s', (fen) => {
    for (let game = 0; game < 5; game++) {
      const random = seededRandom('oracle', fen, game);
      const ours = unwrap(parseFen(fen));
      const theirs = new Chess(fen);
      for (let ply = 0; ply < 130; ply++) {
        const moves = ours.legalMoves();
        const said = moves.map((move) => sanOf(ours, move));
        expect([...said].sort()).toEqual(theirs.moves().sort());
        expect(said.map((san) => unwrap(parseSan(ours, san)))).toEqual(moves);
        expect(fenOf(ours)).toBe(theirs.fen());
        expect(fenOf(unwrap(parseFen(theirs.fen())))).toBe(theirs.fen());
        expect(ours.inCheck()).toBe(theirs.inCheck());
        expect(isInsufficientMaterial(ours)).toBe(theirs.isInsufficientMaterial());
        expect(repetitions(ours) >= 3).toBe(theirs.isThreefoldRepetition());
        expect(ours.halfmoveClock >= 100).toBe(theirs.isDrawByFiftyMoves());
        met.plies++;
        if (ours.inCheck()) met.checks++;
        if (isInsufficientMaterial(ours)) met.bare++;
        if (claimableDraw(ours) === 'threefold repetition') met.threefold++;
        if (claimableDraw(ours) === 'fifty-move rule') met.fifty++;
        expect(moves.length === 0 && ours.inCheck()).toBe(theirs.isCheckmate());
        expect(moves.length === 0 && !ours.inCheck()).toBe(theirs.isStalemate());
        if (moves.length === 0) {
          if (ours.inCheck()) met.mates++;
          else met.stalemates++;
          break;
        }
        const move = choose(moves, game, random.below(1e9));
        const played = theirs.move(sanOf(ours, move));
        expect(played.lan).toBe(uciOf(move));
        if (played.isEnPassant()) met.enPassant++;
        if (played.isPromotion()) met.promotions++;
        if (played.isKingsideCastle() || played.isQueensideCastle()) met.castling++;
        expect(ours.tryPlay(move)).toBe(true);
      }
    }
  });

  it('met every special case on the way', () => {
    for (const [name, count] of Object.entries(met)) expect(count, name).toBeGreaterThan(0);
    expect(met.plies).toBeGreaterThan(2500);
  });

  it('refuse exactly the moves that are not in the list', () => {
    const random = seededRandom('every-move');
    for (const fen of STARTS) {
      const position = unwrap(parseFen(fen));
      for (let ply = 0; ply < 30; ply++) {
        const legal = new Set(position.legalMoves());
        if (legal.size === 0) break;
        const accepted = [];
        for (let move = 0; move < 65536; move++) if (position.isLegal(move)) accepted.push(move);
        expect(accepted).toEqual([...legal].sort((a, b) => a - b));
        position.play(accepted[random.below(accepted.length)]);
      }
    }
  });
});

/** Every third game shuffles two squares back and forth where it can, so that positions repeat. */
function choose(moves: number[], game: number, draw: number): number {
  const pool = game % 3 === 0 ? moves.slice(0, Math.max(1, moves.length >> 3)) : moves;
  return pool[draw % pool.length];
}
