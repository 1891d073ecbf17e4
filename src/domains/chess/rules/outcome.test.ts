import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { parseFen } from '../formats/fen.ts';
import { claimableDraw, isInsufficientMaterial, outcomeOf } from './outcome.ts';
import { Position } from './position.ts';
import { repetitions } from './repetition.ts';
import { parseUciMove } from '../formats/uci.ts';

function play(position: Position, line: string): Position {
  for (const word of line.split(' '))
    if (!position.tryPlay(unwrap(parseUciMove(word)))) throw new Error(`${word} is illegal`);
  return position;
}
const fen = (text: string): Position => unwrap(parseFen(text));
const KNIGHTS = 'g1f3 g8f6 f3g1 f6g8';

describe('outcome', () => {
  it('knows mate and stalemate', () => {
    expect(outcomeOf(play(Position.initial(), 'f2f3 e7e5 g2g4 d8h4'))).toBe('Black wins by checkmate');
    expect(outcomeOf(fen('k7/1Q6/1K6/8/8/8/8/8 b - - 0 1'))).toBe('White wins by checkmate');
    expect(outcomeOf(fen('k7/2Q5/1K6/8/8/8/8/8 b - - 0 1'))).toBe('draw by stalemate');
    expect(outcomeOf(Position.initial())).toBeNull();
  });

  it.each([
    ['4k3/8/8/8/8/8/8/4K3', true],
    ['4k3/8/8/8/8/8/8/4KN2', true],
    ['4k3/8/8/8/8/8/8/4KB2', true],
    ['4kb2/8/8/8/8/8/8/2B1K3', true], // c1 and f8 are both dark
    ['4kb2/8/8/8/8/8/8/4KB2', false],
    ['4kn2/8/8/8/8/8/8/4KB2', false],
    ['4k3/8/8/8/8/8/8/4KNN1', false],
    ['4k3/8/8/8/8/8/8/4KR2', false],
    ['4k3/p7/8/8/8/8/8/4K3', false],
  ])('material %s', (pieces, insufficient) => {
    expect(isInsufficientMaterial(fen(`${pieces} w - - 0 1`))).toBe(insufficient);
  });

  it('counts repetitions: three may be claimed, five end the game', () => {
    const position = play(Position.initial(), KNIGHTS);
    expect([repetitions(position), claimableDraw(position)]).toEqual([2, null]);
    play(position, KNIGHTS);
    expect([repetitions(position), claimableDraw(position), outcomeOf(position)]).toEqual([
      3,
      'threefold repetition',
      null,
    ]);
    play(position, `${KNIGHTS} ${KNIGHTS}`);
    expect([repetitions(position), outcomeOf(position)]).toEqual([5, 'draw by fivefold repetition']);
    expect(repetitions(position.clone())).toBe(5);
    play(position, 'e2e4');
    expect(repetitions(position)).toBe(1);
  });

  it('tells positions apart by castling rights and by en passant where it is legal', () => {
    // The kings go out and home: the pieces stand as before, the rights are gone.
    const rights = play(Position.initial(), 'e2e4 e7e5');
    const before = rights.key();
    play(rights, 'e1e2 e8e7 e2e1 e7e8');
    expect(rights.key()).not.toBe(before);
    expect(repetitions(rights)).toBe(1);
    play(rights, 'e1e2 e8e7 e2e1 e7e8');
    expect(repetitions(rights)).toBe(2);
    // After d2d4 Black's e4 pawn may capture once, so the first time is another position; after a2a3 nothing may.
    const legal = fen('4k1n1/8/8/8/4p3/8/3P4/4K1N1 w - - 0 1');
    expect(repetitions(play(legal, 'd2d4 g8f6 g1f3 f6g8 f3g1'))).toBe(1);
    const none = fen('4k1n1/8/8/8/7p/8/3P4/4K1N1 w - - 0 1');
    expect(repetitions(play(none, 'd2d4 g8f6 g1f3 f6g8 f3g1'))).toBe(2);
    // The capture is there but would open the king to the rook, so it never was possible.
    const pinned = fen('6n1/8/8/8/R3p2k/8/3P4/4K1N1 w - - 0 1');
    expect(repetitions(play(pinned, 'd2d4 g8f6 g1e2 f6g8 e2g1'))).toBe(2);
  });

  it('counts fifty and seventy-five moves', () => {
    const rook = (plies: number) => fen(`4k3/8/8/8/8/8/8/4K2R w - - ${plies} 80`);
    expect(claimableDraw(rook(99))).toBeNull();
    expect(claimableDraw(rook(100))).toBe('fifty-move rule');
    expect(outcomeOf(rook(149))).toBeNull();
    expect(outcomeOf(rook(150))).toBe('draw by the seventy-five-move rule');
  });
});
