import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { parseFen } from './fen.ts';
import { parseSan, sanOf } from './san.ts';
import { parseUciMove, uciOf } from './uci.ts';

const read = (fen: string, san: string): string => {
  const move = parseSan(unwrap(parseFen(fen)), san);
  return move.ok ? uciOf(move.value) : `${move.error.code}: ${move.error.message}`;
};
const write = (fen: string, uci: string): string => sanOf(unwrap(parseFen(fen)), unwrap(parseUciMove(uci)));

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const PROMOTION = '3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1';
const QUEENS = '6k1/8/8/8/Q6Q/8/8/2K4Q w - - 0 1';

describe('SAN', () => {
  it('tells pieces apart by file, then rank, then square', () => {
    // Knights on b1 and f3 meet on d2; rooks on a1 and a5 meet on a3; three queens meet on e4 (a4, h4, h1).
    expect(write('4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1', 'b1d2')).toBe('Nbd2');
    expect(write('4k3/8/8/R7/8/8/8/R3K3 w - - 0 1', 'a5a3')).toBe('R5a3');
    expect(write(QUEENS, 'h4e4')).toBe('Qh4e4');
    // The knight on c3 is pinned, so the other needs no file.
    expect(write('4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1', 'g1e2')).toBe('Ne2');
  });

  it('writes captures, en passant, promotion, castling, check and mate', () => {
    expect(write(PROMOTION, 'e7d8q')).toBe('exd8=Q+');
    expect(write(PROMOTION, 'e7e8n')).toBe('e8=N');
    expect(write('4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1', 'e5d6')).toBe('exd6');
    expect(write('5k2/8/8/8/8/8/8/4K2R w K - 0 1', 'e1g1')).toBe('O-O+');
    expect(write('4k3/8/8/8/8/8/8/R3K3 w Q - 0 1', 'e1c1')).toBe('O-O-O');
    expect(write('rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2', 'd8h4')).toBe('Qh4#');
  });

  it.each([
    [START, 'Nf3', 'g1f3'],
    [START, 'Ng1-f3!?', 'g1f3'],
    [START, 'Pe2e4', 'e2e4'],
    [START, 'e2-e4', 'e2e4'],
    ['4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1', 'exd6e.p.', 'e5d6'],
    [PROMOTION, 'exd8=N', 'e7d8n'],
    [PROMOTION, 'e8Q+', 'e7e8q'],
    [PROMOTION, 'e8(R)', 'e7e8r'],
    ['4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', '0-0', 'e1g1'],
    ['4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', 'O-O-O+', 'e1c1'],
  ])('%s: %s', (fen, san, uci) => {
    expect(read(fen, san)).toBe(uci);
  });

  it('says why there is no such move', () => {
    expect(read(START, 'Nf6')).toMatch(/^illegal-move: no knight of White's goes to f6/);
    expect(read(START, 'Bc4')).toMatch(/^illegal-move: the bishop on f1 is blocked by the pawn on e2/);
    expect(read('4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1', 'Bd3')).toMatch(
      /leave the king on e1 in check from the rook on e7/,
    );
    expect(read(PROMOTION, 'e8')).toMatch(/^promotion-missing/);
    expect(read(PROMOTION, 'Qd1')).toMatch(/^illegal-move: White has no such queen/);
    expect(read(QUEENS, 'Qe4')).toMatch(/^ambiguous-move: .*h1e4 or a4e4 or h4e4/);
    expect(read(START, 'O-O')).toMatch(/may not castle kingside: the bishop on f1 and the knight on g1/);
    expect(read(START, 'hello')).toMatch(/^not-san/);
    expect(read(START, 'x'.repeat(100_000))).toMatch(/^not-san/);
  });
});
