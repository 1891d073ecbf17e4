import { expect, it } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { StateIndex } from './nearest-state.ts';

/** States around a few centres, so that near and far ones both occur. */
function someStates(many: number, variables: number, values: number, key: string): Uint8Array {
  const random = seededRandom('states', key);
  const centres = Array.from({ length: 5 }, () => Array.from({ length: variables }, () => random.below(values)));
  const rows = Array.from({ length: many }, () => {
    const centre = centres[random.below(5)];
    const change = random.next() * 0.6;
    return centre.map((value) => (random.next() < change ? random.below(values) : value));
  });
  return Uint8Array.from(rows.flat());
}

function bruteForce(states: Uint8Array, variables: number, query: Uint8Array): number {
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
])('agrees with comparing all, %i variables of %i values', (variables, values) => {
  const states = someStates(700, variables, values, 'kept');
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
  const index = new StateIndex(Uint8Array.from([1, 2, 3, 14, 0, 0]), 3);
  expect(index.nearest(Uint8Array.of(1, 2, 3))).toBe(0);
  expect(index.nearest(Uint8Array.of(1, 2, 15))).toBe(1);
  expect(index.nearest(Uint8Array.of(30, 200, 0))).toBe(2);
  expect(index.nearest(Uint8Array.of(14, 40, 0))).toBe(1);
});

it('has nothing to be near to where there are no states', () => {
  expect(new StateIndex(new Uint8Array(0), 64).nearest(new Uint8Array(64))).toBeNull();
});
