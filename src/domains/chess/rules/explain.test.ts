import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { explainIllegal } from './explain.ts';
import { INITIAL_FEN, parseFen } from '../formats/fen.ts';
import { parseSquare, squareName } from './squares.ts';

const at = (name: string): number => unwrap(parseSquare(name));
function explain(fen: string, from: string, to: string) {
  const { reason, why, blockers, checkLines } = explainIllegal(unwrap(parseFen(fen)), at(from), at(to));
  return {
    reason,
    why,
    blockers: blockers.map(squareName),
    lines: checkLines.map((line) => squareName(line.from) + squareName(line.to)),
  };
}

describe('explainIllegal', () => {
  it.each([
    ['e4', 'e5', 'empty', []],
    ['e7', 'e5', 'wrong-side', []],
    ['g1', 'h5', 'unreachable', []],
    ['g1', 'g1', 'unreachable', []],
    ['g1', 'g3', 'syntax', []],
    ['e2', 'd3', 'syntax', []],
    ['e2', 'e5', 'syntax', []],
    ['g1', 'e2', 'own-piece', ['e2']],
    ['a1', 'a5', 'blocked', ['a2']],
    ['d1', 'd8', 'blocked', ['d2', 'd7']],
    ['e1', 'g1', 'castling', ['f1', 'g1']],
    ['e2', 'e4', 'legal', []],
  ])('%s to %s from the start is %s', (from, to, reason, blockers) => {
    expect(explain(INITIAL_FEN, from, to)).toMatchObject({ reason, blockers });
  });

  it('draws the checks a move would leave or open', () => {
    const pinned = '4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1';
    expect(explain(pinned, 'e2', 'd3')).toMatchObject({ reason: 'leaves-check', lines: ['e7e1'] });
    expect(explain(pinned, 'e1', 'd1').reason).toBe('legal');
    const double = '4k3/8/8/8/7b/8/4r1P1/4K3 w - - 0 1';
    expect(explain(double, 'g2', 'g3')).toMatchObject({ reason: 'leaves-check', lines: ['e2e1'] });
    expect(explain(double, 'e1', 'f2')).toMatchObject({
      reason: 'leaves-check',
      why: expect.stringContaining('the king would stand in check on f2'),
    });
    // Both pawns leave the fifth rank at once.
    expect(explain('4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1', 'e5', 'd6')).toMatchObject({
      reason: 'leaves-check',
      lines: ['h5a5'],
    });
  });

  it('names what forbids castling', () => {
    expect(explain('4k3/8/8/8/8/8/8/4K2R w - - 0 1', 'e1', 'g1').why).toContain('has moved or is gone');
    expect(explain('4kr2/8/8/8/8/8/8/4K2R w K - 0 1', 'e1', 'g1')).toMatchObject({
      why: expect.stringContaining('the rook on f8 attacks f1'),
      lines: ['f8f1'],
    });
    expect(explain('3kr3/8/8/8/8/8/8/4K2R w K - 0 1', 'e1', 'g1').why).toContain(
      'the king is in check from the rook on e8',
    );
    // The b-file may be attacked.
    expect(explain('1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1', 'e1', 'c1').reason).toBe('legal');
  });
});
