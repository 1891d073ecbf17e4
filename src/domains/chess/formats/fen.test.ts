import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { fenOf, INITIAL_FEN, parseFen } from './fen.ts';
import { Position } from '../rules/position.ts';

const wrong = (fen: string): string => {
  const parsed = parseFen(fen);
  return parsed.ok ? 'accepted' : parsed.error.message;
};

describe('FEN', () => {
  it('writes the initial position as the standard does', () => {
    expect(fenOf(Position.initial())).toBe(INITIAL_FEN);
    expect(fenOf(unwrap(parseFen(INITIAL_FEN)))).toBe(INITIAL_FEN);
  });

  it('takes four fields, clocks then being 0 and 1', () => {
    expect(fenOf(unwrap(parseFen('4k3/8/8/8/8/8/8/4K2R w K -')))).toBe('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
  });

  it('drops an en passant square on which no capture is legal', () => {
    // The capture would open the fifth rank to the rook on h5.
    expect(fenOf(unwrap(parseFen('4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1')))).toContain(' w - - 0 1');
    expect(fenOf(unwrap(parseFen('4k3/8/8/K2pP3/8/8/8/8 w - d6 0 1')))).toContain(' w - d6 0 1');
  });

  it.each([
    ['', 'fields'],
    ['8/8/8/8/8/8/8 w - - 0 1', '7 ranks'],
    ['rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'rank 7'],
    ['rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', '"9" in rank 6'],
    ['rnbqkbnr/ppppppp./8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', '"." in rank 7'],
    ['8/8/8/8/8/8/8/4K3 w - - 0 1', 'Black has 0 kings'],
    ['4k3/8/8/8/8/8/8/3KK3 w - - 0 1', 'White has 2 kings'],
    ['4k2P/8/8/8/8/8/8/4K3 w - - 0 1', 'pawn stands on h8'],
    ['4k3/8/8/8/8/8/8/4RK2 w - - 0 1', "Black's king is in check although White is to move"],
    ['4k3/8/8/8/8/8/8/4K3 x - - 0 1', 'who moves'],
    ['4k3/8/8/8/8/8/8/4K3 w K - 0 1', 'rook on h1'],
    ['4k3/8/8/8/8/8/8/4K2R w KK - 0 1', 'castling field'],
    ['4k3/8/8/8/8/8/8/4K3 w - e9 0 1', 'en passant field'],
    ['4k3/8/8/8/8/8/8/4K3 w - e6 0 1', 'passed e6'],
    ['4k3/8/8/8/8/8/8/4K3 w - - x 1', 'fifth field'],
    ['4k3/8/8/8/8/8/8/4K3 w - - 0 -1', 'sixth field'],
  ])('refuses %j', (fen, expected) => {
    expect(wrong(fen)).toContain(expected);
  });

  it('never throws, whatever the text, and reads back what it writes', () => {
    const fields = fc
      .array(fc.stringMatching(/^[pnbrqkPNBRQK1-9/wb-]{0,12}$/), { maxLength: 20 })
      .map((parts) => parts.join('/'));
    const mutated = fc
      .tuple(fc.nat(INITIAL_FEN.length), fc.nat(3), fc.string({ maxLength: 3 }))
      .map(([at, cut, put]) => INITIAL_FEN.slice(0, at) + put + INITIAL_FEN.slice(at + cut));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fields, mutated), (text) => {
        const parsed = parseFen(text);
        if (!parsed.ok) return parsed.error.code === 'bad-fen';
        return fenOf(unwrap(parseFen(fenOf(parsed.value)))) === fenOf(parsed.value);
      }),
      { numRuns: 3000 },
    );
  });
});
