import { expect, test } from 'vitest';
import { unwrap } from '../src/base/result.ts';
import { notationOf } from '../src/domains/domains.ts';
import type { Engine } from '../src/engine/engine.ts';
import { soundnessScores } from './shipped-scores.ts';

test('a model of piece names before every move ships without scores of whole games, which it cannot play', async () => {
  const notation = unwrap(notationOf({ domain: 'chess', notation: 'ap' }));
  expect(
    await soundnessScores({} as Engine, notation, { model: 'oracle', probes: 'public/data/chess-selfplay' }),
  ).toEqual({});
});
