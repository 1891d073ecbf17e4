import { expect, test } from 'vitest';
import { learnsPieces, taughtIn, pieceShareAt } from './objectives.ts';

test('only a model that reads names before some moves, and learns towards the next token, learns which piece moves', () => {
  const told = { objective: 'next', notation: 'rap:40', pieceWeight: 0.5 } as const;
  expect(taughtIn(told)).toBe('told which piece moves');
  for (const change of [{ pieceWeight: 0 }, { notation: 'rap:0' }, { notation: 'uci' }, { notation: 'ap' }])
    expect(taughtIn({ ...told, ...change })).toBeNull();
  for (const objective of ['legal', 'valid'] as const) expect(learnsPieces({ ...told, objective })).toBe(false);
  expect(taughtIn({ ...told, objective: 'legal' })).toBe('taught what is legal');
});

test('takes the weight of the piece that moves back over the last tenth, and never to nothing', () => {
  const share = (step: number): number => pieceShareAt({ steps: 200 }, step);
  expect([0, 100, 180].map(share)).toEqual([1, 1, 1]);
  expect(share(190)).toBeCloseTo(0.5, 12);
  expect(share(199)).toBeCloseTo(0.05, 12);
});
