import { expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { StateIndex } from './nearest-state.ts';

/** States around a few centres, so that near and far ones both occur. */
function someStates(many: number, variables: number, values: number, key: string): Uint16Array {
  const random = seededRandom('states', key);
  const centres = Array.from({ length: 5 }, () => Array.from({ length: variables }, () => random.below(values)));
  const rows = Array.from({ length: many }, () => {
    const centre = centres[random.below(5)];
    const change = random.next() * 0.6;
    return centre.map((value) => (random.next() < change ? random.below(values) : value));
  });
  return Uint16Array.from(rows.flat());
}

function bruteForce(states: Uint16Array, variables: number, query: Uint16Array): number {
  let best = Infinity;
  for (let at = 0; at < states.length; at += variables) {
    const state = [...states.subarray(at, at + variables)];
    best = Math.min(best, state.filter((value, v) => value !== query[v]).length);
  }
  return best;
}

it.each([
  [64, 13],
  [11, 51],
  [9, 3],
  [17, 15],
  [17, 16],
  [1, 200],
  [5, 256],
  [5, 600],
  [260, 300],
])('agrees with comparing all, %i variables of %i values', (variables, values) => {
  const states = someStates(variables > 100 ? 130 : 700, variables, values, 'kept');
  const queries = someStates(120, variables, values, 'kept and asked');
  const index = new StateIndex(states, variables);
  const found = new Set<number>();
  for (let q = 0; q < 120; q++) {
    const fresh = queries.slice(q * variables, (q + 1) * variables);
    const near = states.slice(q * variables, (q + 1) * variables);
    near[q % variables] = (near[q % variables] + 1) % values;
    for (const query of [fresh, near]) {
      const distance = index.nearest(query);
      expect(distance).toBe(bruteForce(states, variables, query));
      found.add(distance!);
    }
  }
  if (variables > 9) expect(found.size).toBeGreaterThan(3);
});

it('a value that no kept state has counts as different, and a kept state is at no distance', () => {
  const index = new StateIndex(Uint16Array.from([1, 2, 3, 14, 0, 0]), 3);
  expect(index.nearest(Uint16Array.of(1, 2, 3))).toBe(0);
  expect(index.nearest(Uint16Array.of(1, 2, 15))).toBe(1);
  expect(index.nearest(Uint16Array.of(30, 200, 0))).toBe(2);
  expect(index.nearest(Uint16Array.of(14, 40, 0))).toBe(1);
  // The values of one state lie 256 apart from another's, and 255 is a value as others are.
  const wide = new StateIndex(Uint16Array.from([1, 257, 255, 3]), 2);
  expect(wide.nearest(Uint16Array.of(1, 1))).toBe(1);
  expect(wide.nearest(Uint16Array.of(257, 257))).toBe(1);
  expect(wide.nearest(Uint16Array.of(0, 1))).toBe(2);
  expect(new StateIndex(Uint16Array.of(254, 7), 2).nearest(Uint16Array.of(510, 263))).toBe(2);
});

it('is not confused by more than 255 variables', () => {
  // All but the first of 300 variables differ from the commonest values in one state, none in the others.
  const states = new Uint16Array(3 * 300);
  states.fill(1, 601);
  const index = new StateIndex(states, 300);
  expect(index.nearest(new Uint16Array(300).fill(1))).toBe(1);
  expect(index.nearest(new Uint16Array(300).fill(2))).toBe(300);
});

it('has nothing to be near to where there are no states', () => {
  expect(new StateIndex(new Uint16Array(0), 64).nearest(new Uint16Array(64))).toBeNull();
});
