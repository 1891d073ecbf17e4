import { expect, it } from 'vitest';
import { ok } from '../../base/result.ts';
import { newSuite } from '../../studies/syntaxgym/edit-suite.ts';
import type { Lab } from '../session/lab.svelte.ts';
import type { StoredSuite, SuiteStore } from './suite-store.ts';
import { SuitesState } from './suites.svelte.ts';

it('a suite that comes before the list of stored ones is read has a place in it', async () => {
  let finish = (_: StoredSuite[]): void => {};
  const reading = new Promise<StoredSuite[]>((resolve) => (finish = resolve));
  const store: SuiteStore = { all: () => reading, put: async () => {}, remove: async () => {} };
  const suites = new SuitesState({ domain: 'chess', workers: {} } as unknown as Lab, store);

  const taken = suites.take(ok({ suites: [newSuite('mine', 'chess')], assessments: [] }));
  // What the storage held when it was asked, before the new one.
  finish([{ id: 'old', editedAt: 1, suite: newSuite('older', 'chess') }]);
  await taken;

  expect(suites.current?.name).toBe('mine');
  expect(suites.stored.map(({ suite }) => suite.meta.name)).toEqual(['mine', 'older']);
});
