import { expect, test } from 'vitest';
import { learnsPieces, taughtIn } from './objectives.ts';

test('only a model that reads names before some moves, and learns towards the next token, learns which piece moves', () => {
  const told = { objective: 'next', notation: 'rap:40', pieceWeight: 0.5 } as const;
  expect(taughtIn(told)).toBe('told which piece moves');
  for (const change of [{ pieceWeight: 0 }, { notation: 'rap:0' }, { notation: 'uci' }, { notation: 'ap' }])
    expect(taughtIn({ ...told, ...change })).toBeNull();
  for (const objective of ['legal', 'valid'] as const) expect(learnsPieces({ ...told, objective })).toBe(false);
  expect(taughtIn({ ...told, objective: 'legal' })).toBe('taught what is legal');
});
