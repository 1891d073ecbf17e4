import { expect, test } from 'vitest';
import { chosenMoments } from './chosen-moments.ts';

const chosen = (...steps: number[]) => chosenMoments(steps.map((step) => ({ step }))).map(({ step }) => step);

test('of many answers the first, the newest, and two early ones between them are shown', () => {
  expect(chosen(0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)).toEqual([0, 10, 30, 100]);
  expect(chosen(...Array.from({ length: 21 }, (_, i) => 100 * i))).toEqual([0, 200, 700, 2000]);
});

test('no answer is shown twice', () => {
  expect(chosen()).toEqual([]);
  expect(chosen(7)).toEqual([7]);
  expect(chosen(0, 100)).toEqual([0, 100]);
});
