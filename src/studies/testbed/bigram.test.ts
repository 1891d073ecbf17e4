import { expect, test } from 'vitest';
import { packMove } from '../../domains/chess/rules/move.ts';
import { countBigram } from './bigram.ts';

const move = (from: number, to: number): number => packMove(from, to);

test('the commonest destination is told for each side and start square', () => {
  const bigram = countBigram([
    [move(12, 28), move(52, 36)],
    [move(12, 28), move(52, 44)],
    [move(12, 20), move(52, 44), move(1, 18)],
  ]);
  expect(bigram.destination(0, 12)).toBe(28);
  expect(bigram.destination(1, 52)).toBe(44);
  expect(bigram.destination(0, 1)).toBe(18);
  expect(bigram.destination(1, 1)).toBe(-1);
});

test('what a pawn becomes does not matter', () => {
  const bigram = countBigram([[move(52, 60) | (5 << 12)], [move(52, 61)], [move(52, 60)]]);
  expect(bigram.destination(0, 52)).toBe(60);
});
