import { expect, test } from 'vitest';
import type { StateMap } from '../../../studies/splat/state-map.ts';
import { beliefAt, rightAt, rightOf, rightOverall, stateMapCsv, stripRows } from './state-map.ts';

test('a map of states is counted by event, by variable and in all', () => {
  const map: StateMap = {
    domain: 'noughts',
    events: ['b2'],
    variables: ['b2', 'turn'],
    truth: [
      ['empty', 'X'],
      ['X', 'O'],
    ],
    believed: [
      ['empty', 'X'],
      ['empty', 'O'],
    ],
    truthProbability: Float32Array.of(0.75, 0.5, 0.25, 1),
  };
  expect([0, 1].map((at) => rightAt(map, at).right)).toEqual([2, 1]);
  expect(rightOverall(map)).toBe(0.75);
  expect([0, 1].map((variable) => rightOf(map, variable))).toEqual([0.5, 1]);
  expect(beliefAt(map, 1).marks).toEqual({ b2: { sure: 1, wrong: true }, turn: { sure: 1, wrong: false } });
  expect(stripRows(map)).toEqual([0, 1]);
  expect(stateMapCsv(map, 3).split('\r\n')[3]).toBe('4,b2,b2,X,empty,0.2500');
});
