import { describe, expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { parseFen } from '../../domains/chess/formats/fen.ts';
import { KIND_LETTERS } from '../../domains/chess/rules/pieces.ts';
import { parsePrefix } from '../../domains/chess/replay.ts';
import { parseSquare } from '../../domains/chess/rules/squares.ts';
import { classifyEnd, endingsAlone } from './error-taxonomy.ts';

const at = (name: string): number => unwrap(parseSquare(name));
const judge = (fen: string, from: string, predicted: string): string => {
  const { legal, error } = classifyEnd(unwrap(parseFen(fen)), at(from), predicted);
  expect(legal).toBe(error === null);
  return error ?? 'legal';
};

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** White may castle both ways; a rook pins the bishop on e2. */
const CASTLE = '4k3/4r3/8/8/8/8/4B3/R3K2R w KQ - 0 1';
/** White's king is in check from e8; f1 and f2 are covered by the rook on f8. */
const CHECK = 'k3rr2/8/8/8/8/8/8/N3K3 w - - 0 1';
/** A pawn one step from promotion, with a piece to take. */
const PAWNS = '1n2k3/2P5/8/8/8/8/8/4K1N1 w - - 0 1';

// Each verdict is reasoned by hand from error_analysis_end.py.
describe('classifyEnd', () => {
  it.each([
    // A queen reaches g1 from e1, a king alone does not: castling is a wrong answer of syntax.
    [CASTLE, 'e1', 'g1', 'syntax'],
    [CASTLE, 'e1', 'c1', 'syntax'],
    [CASTLE, 'e1', 'f1', 'legal'],
    // A king alone goes to e2; its own bishop stands there, so no pseudo-legal move does.
    [CASTLE, 'e1', 'e2', 'path obstruction'],
    [CASTLE, 'e2', 'd3', 'pseudo legal'],
    [CASTLE, 'e2', 'e4', 'syntax'],
    [CASTLE, 'a1', 'e1', 'path obstruction'],
    [CASTLE, 'a1', 'f1', 'path obstruction'],
    [CASTLE, 'a1', 'b3', 'syntax'],
    [CASTLE, 'a1', 'a8', 'legal'],
    // Neither a line nor a leap joins a1 and d2.
    [CASTLE, 'a1', 'd2', 'unreachable'],
    [CASTLE, 'a1', 'a1', 'unreachable'],
    // Tokens that are no squares.
    [START, 'g1', '</s>', 'unreachable'],
    [START, 'g1', 'N', 'unreachable'],
    [START, 'g1', 'q', 'unreachable'],
    [START, 'g1', '', 'unreachable'],
    [START, 'g1', 'f3', 'legal'],
    [START, 'g1', 'e2', 'path obstruction'],
    [START, 'd1', 'd8', 'path obstruction'],
    [START, 'd1', 'c3', 'syntax'],
    // In check: a knight that does not help, a king that walks into another line.
    [CHECK, 'a1', 'b3', 'pseudo legal'],
    [CHECK, 'e1', 'f1', 'pseudo legal'],
    [CHECK, 'e1', 'e2', 'pseudo legal'],
    [CHECK, 'e1', 'd1', 'legal'],
    // Promotions read "c8q": a bare c8 is reached by a rook but not by the pawn.
    [PAWNS, 'c7', 'c8', 'syntax'],
    [PAWNS, 'c7', 'c8q', 'legal'],
    [PAWNS, 'c7', 'b8q', 'legal'],
    // No piece alone has b8q among its destinations unless it is a pawn that pushes there.
    [PAWNS, 'c7', 'd8q', 'unreachable'],
    [PAWNS, 'c7', 'b8', 'syntax'],
    // A pawn alone captures nothing.
    [START, 'e2', 'd3', 'syntax'],
    [START, 'e2', 'e4', 'legal'],
    [START, 'e2', 'e5', 'syntax'],
  ])('%s: %s to %s is %s', (fen, from, predicted, verdict) => {
    expect(judge(fen, from, predicted)).toBe(verdict);
  });

  it('judges black pieces as white ones on the empty board', () => {
    const black = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2';
    // A legal push down is right; an illegal one is no push of a white pawn.
    expect(judge(black, 'd7', 'd5')).toBe('legal');
    expect(judge(black, 'e5', 'e4')).toBe('syntax');
    // A white pawn alone goes from e5 to e6, which no black pawn does.
    expect(judge(black, 'e5', 'e6')).toBe('path obstruction');
    // From d7 a white pawn alone promotes, so that d8 is none of its destinations.
    expect(judge(black, 'd7', 'd8')).toBe('syntax');
    expect(judge(black, 'd7', 'd8q')).toBe('path obstruction');
    expect(judge(black, 'g8', 'e7')).toBe('legal');
    expect(judge(black, 'd8', 'd6')).toBe('path obstruction');
    expect(judge(black, 'd8', 'h4')).toBe('legal');
  });

  it('judges a prompt from an empty square or the wrong side without failing', () => {
    expect(judge(START, 'e4', 'e5')).toBe('syntax');
    expect(judge(START, 'g8', 'f6')).toBe('path obstruction');
  });

  it('takes the position from a game prefix', () => {
    const position = unwrap(parsePrefix('e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5'));
    expect(classifyEnd(position, at('e1'), 'g1')).toEqual({ legal: false, error: 'syntax' });
    expect(classifyEnd(position, at('h1'), 'g1')).toEqual({ legal: true, error: null });
  });
});

describe('endingsAlone', () => {
  const count = (letter: (typeof KIND_LETTERS)[number], from: string) =>
    endingsAlone(KIND_LETTERS.indexOf(letter), at(from)).length;

  it('has the known mobility of each piece on an empty board', () => {
    expect((['N', 'B', 'R', 'Q', 'K'] as const).map((letter) => count(letter, 'd4'))).toEqual([8, 13, 14, 27, 8]);
    expect((['N', 'B', 'R', 'Q', 'K'] as const).map((letter) => count(letter, 'a1'))).toEqual([2, 7, 14, 21, 3]);
  });

  it("has python-chess's pawns", () => {
    expect(endingsAlone(1, at('e2'))).toEqual(['e3', 'e4']);
    expect(endingsAlone(1, at('e3'))).toEqual(['e4']);
    expect(endingsAlone(1, at('e7')).sort()).toEqual(['e8b', 'e8n', 'e8q', 'e8r']);
    expect(endingsAlone(1, at('e8'))).toEqual([]);
    expect(endingsAlone(1, at('e1'))).toEqual(['e2', 'e3']);
  });
});
