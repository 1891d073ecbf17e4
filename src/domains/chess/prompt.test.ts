import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { fenOf } from './formats/fen.ts';
import { LONGEST_PROMPT, parsePrompt } from './prompt.ts';

const canonical = (text: string): string => unwrap(parsePrompt(text)).canonical;
const failure = (text: string) => {
  const prompt = parsePrompt(text);
  return prompt.ok ? null : prompt.error;
};

describe('parsePrompt', () => {
  it.each([
    ['', ''],
    ['e2e4 e7e5 g1f3 b8c6', 'e2e4 e7e5 g1f3 b8c6'],
    ['e2e4 e7e5 g1f3 b8c6 f1', 'e2e4 e7e5 g1f3 b8c6 f1'],
    ['1. e4 e5 2. Nf3 Nc6', 'e2e4 e7e5 g1f3 b8c6'],
    ['1. e4 e5 2. Nf3 Nc6 f1', 'e2e4 e7e5 g1f3 b8c6 f1'],
    ['1. e4 e5 2. Nf3 Nc6 3. N', 'e2e4 e7e5 g1f3 b8c6 N'],
    ['e2e4 e7e5 Nf3 b8c6 B', 'e2e4 e7e5 g1f3 b8c6 B'],
    ['Pe2e4 Pe7e5 Ng1f3 N b8c6 K', 'e2e4 e7e5 g1f3 b8c6 K'],
    ['1. e4', 'e2e4'],
    ['e2', 'e2'],
    ['e2e4 e7e5 Bf1', 'e2e4 e7e5 f1'],
    ['e2e4 e7e5 Nf3', 'e2e4 e7e5 g1f3'],
    ['[Event "x"]\n[Result "*"]\n\n1. e4 {best by test} e5 (1... c5) 2. Nf3 *', 'e2e4 e7e5 g1f3'],
    ['P', 'P'],
  ])('%j', (text, expected) => {
    expect(canonical(text)).toBe(expected);
    expect(canonical(expected)).toBe(expected);
  });

  it('gives moves, position and query', () => {
    const prompt = unwrap(parsePrompt('e2e4 e7e5 g1f3 b8c6 f1'));
    expect(prompt.query).toEqual({ kind: 'end', from: 5 });
    expect(prompt.uci).toEqual(['e2e4', 'e7e5', 'g1f3', 'b8c6']);
    expect(prompt.moves.length).toBe(4);
    expect(fenOf(prompt.position)).toBe('r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3');
    expect(unwrap(parsePrompt('e2e4 N')).query).toEqual({ kind: 'start', piece: 'N' });
    expect(unwrap(parsePrompt('e2e4')).query).toEqual({ kind: 'next' });
  });

  it.each([
    ['e2e4 e7e5 e3e4', 3, 'no piece stands on e3'],
    ['e2e4 d2d4', 2, "it is Black's turn and the pawn on d2 is White's"],
    ['f1c4', 1, 'the bishop on f1 is blocked by the pawn on e2'],
    ['e2e4 e7e5 a1a2', 3, "White's own pawn stands on a2"],
    ['e2e4 e7e5 g1g3', 3, 'a knight does not go from g1 to g3'],
    ['e2e4 e7e5 e4e5', 3, 'the pawn on e4 is blocked by the pawn on e5'],
    ['e2e4 e7e5 d1h5 e8e7 h5e5 g8f6', 6, 'would leave the king on e7 in check from the queen on e5'],
    ['e2e4 f7f6 d1h5 a7a6', 4, 'would leave the king on e8 in check from the queen on h5'],
    ['e2e4 e7e5 e1g1', 3, 'may not castle kingside: the bishop on f1 and the knight on g1'],
    ['e2e4 e7e5 Bb5 a6 c4', 0, ''],
    ['e2e4 e7e5 e5', 3, "it is White's turn and the pawn on e5 is Black's"],
    ['e2e4 e7e5 g5', 3, 'g5 is empty'],
    ['e2e4 f1 e7e5', 2, "it is Black's turn and the bishop on f1 is White's"],
    ['e2e4 b8 e7e5', 2, 'only the last word may be a lone start square'],
    ['e2e4 nonsense', 2, 'no move'],
  ])('%s', (text, ply, expected) => {
    const error = failure(text);
    if (ply === 0) return expect(error).toBeNull();
    expect(error?.message).toContain(expected);
    expect(error?.message).toContain(`Ply ${ply}`);
    expect(error?.where?.ply).toBe(ply);
  });

  it('asks for the piece of a promotion', () => {
    const before = 'a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5 ';
    expect(failure(before + 'a7b8')).toMatchObject({ code: 'promotion-missing', where: { ply: 9 } });
    expect(failure(before + 'a7b8')?.message).toContain('name it, as in a7b8q');
    expect(canonical(before + 'axb8=N')).toBe(before + 'a7b8n');
    expect(canonical(before + 'a7')).toBe(before + 'a7');
  });

  it('refuses texts over the limit at once', () => {
    expect(failure('x'.repeat(LONGEST_PROMPT + 1))?.code).toBe('too-long');
    expect(failure('('.repeat(LONGEST_PROMPT))?.code).toBe('bad-pgn');
    expect(canonical('g1f3 g8f6 f3g1 f6g8 '.repeat(LONGEST_PROMPT / 20)).length).toBe(LONGEST_PROMPT - 1);
  });

  it('never throws, whatever the text', () => {
    const words = fc.constantFrom(
      'e2e4',
      'e7e5',
      'g1f3',
      'e4',
      'e5',
      'Nf3',
      'f1',
      'N',
      'P',
      'e7e8',
      'e7e8q',
      '1.',
      '{',
      '}',
      '(',
      ')',
      '[A "b"]',
      'O-O',
      '*',
      '#',
      '<s>',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(words, { maxLength: 40 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const prompt = parsePrompt(text);
        if (!prompt.ok) return prompt.error.message.length > 10;
        return canonical(prompt.value.canonical) === prompt.value.canonical;
      }),
      { numRuns: 5000 },
    );
  });
});
