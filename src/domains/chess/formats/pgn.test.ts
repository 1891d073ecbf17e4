import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { parsePgnGame } from './pgn.ts';
import { uciLine } from '../replay.ts';

const line = (pgn: string): string => uciLine(unwrap(parsePgnGame(pgn)).moves);
const failure = (pgn: string) => {
  const game = parsePgnGame(pgn);
  return game.ok ? null : game.error;
};
const SPANISH = 'e2e4 e7e5 g1f3 b8c6 f1b5';

describe('PGN', () => {
  it('reads headers, also with quotes inside', () => {
    const { tags, result } = unwrap(
      parsePgnGame('\ufeff[Event "A \\"B\\" \\\\ C"]\n[Site "The "Old" Club"]\r\n[Result "1-0"]\r\n\r\n1. e4 1-0\n'),
    );
    expect([...tags]).toEqual([
      ['Event', 'A "B" \\ C'],
      ['Site', 'The "Old" Club'],
      ['Result', '1-0'],
    ]);
    expect(result).toBe('1-0');
  });

  it.each([
    '1. e4 e5 2. Nf3 Nc6 3. Bb5',
    '1.e4 e5 2.Nf3 Nc6 3.Bb5 *',
    '1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:02:59] } 2. Nf3 Nc6 3. Bb5 1/2-1/2',
    '1. e4 (1. d4 d5 (1... Nf6 {Indian ) } 2. c4) 2. c4) 1... e5 $1 $139 2. Nf3! Nc6?! 3. Bb5 ! 1-0',
    '1. e4 e5 ; the rest ( { of the line\n% an escaped line (\n2. Nf3 Nc6\n3. Bb5 {won} 0-1 {after the result}',
    'e4 e5 Nf3 Nc6 Bb5',
    '1. e2e4 e7e5 2. Ng1-f3 Nb8c6 3. Bf1b5+',
  ])('%s', (pgn) => {
    expect(line(pgn)).toBe(SPANISH);
  });

  it('castles, promotes and takes en passant', () => {
    expect(line('1. e4 a6 2. e5 d5 3. exd6 e.p. a5 4. dxc7 Ra6 5. cxb8=Q Rb6 6. Nf3 Rb5 7. Be2 Rb6 8. 0-0 Rb5')).toBe(
      'e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 d6c7 a8a6 c7b8q a6b6 g1f3 b6b5 f1e2 b5b6 e1g1 b6b5',
    );
  });

  it('refuses other starts and variants', () => {
    expect(failure('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O *')?.code).toBe('pgn-setup');
    expect(failure('[Variant "Atomic"]\n\n1. e4 *')?.code).toBe('pgn-variant');
    expect(line('[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n1. e4')).toBe('e2e4');
  });

  it('says where the text is wrong', () => {
    expect(failure('[Event "x"]\n\n1. e4 e5\n2. Ke3 *')).toMatchObject({
      code: 'illegal-move',
      where: { line: 4, ply: 3 },
    });
    expect(failure('1. e4 {open')).toMatchObject({ code: 'bad-pgn', where: { line: 1 } });
    expect(failure('1. e4\n(1. d4')).toMatchObject({ code: 'bad-pgn', where: { line: 2 } });
    expect(failure('1. e4 )')?.code).toBe('bad-pgn');
    expect(failure('[Event "x"]\n[Site x]\n1. e4')).toMatchObject({ code: 'bad-pgn', where: { line: 2 } });
    expect(failure('1. e4 1-0\n\n[Event "next"]\n1. d4')?.code).toBe('bad-pgn');
    expect(failure('1. e4 1-0 1. d4')?.message).toContain('one game at a time');
    expect(failure('1. e4 --')?.message).toContain('"--" is not a move');
  });

  it('is linear in nesting and length', () => {
    expect(failure('('.repeat(300_000))?.code).toBe('bad-pgn');
    expect(line('1. e4 ' + '('.repeat(200_000) + ')'.repeat(200_000))).toBe('e2e4');
    expect(failure('[a "' + '" '.repeat(300_000))?.code).toBe('bad-pgn');
    expect(failure('1. e4 ' + '1.'.repeat(500_000) + ' x')?.where?.ply).toBe(2);
  });

  it('never throws, whatever the text', () => {
    const words = fc.constantFrom(
      '1.',
      '1...',
      'e4',
      'e5',
      'Nf3',
      'O-O',
      '{',
      '}',
      '(',
      ')',
      ';',
      '%',
      '\n',
      '[',
      ']',
      '"',
      '[A "b"]',
      '$1',
      '*',
      '1-0',
      'e8=Q',
      '--',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words, { maxLength: 60 }).map((all) => all.join(' ')),
        ),
        (text) => {
          const game = parsePgnGame(text);
          return game.ok || game.error.message.length > 10;
        },
      ),
      { numRuns: 3000 },
    );
  });
});
