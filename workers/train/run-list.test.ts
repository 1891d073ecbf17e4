import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { indexedAssessmentList } from '../measure/assessment-list.ts';
import { indexedRunList } from './run-list.ts';

vi.mock('idb', () => ({ openDB: vi.fn() }));

test.each([
  ['runs', indexedRunList],
  ['assessments', indexedAssessmentList],
])('the list of %s opens its database once, and again where that failed', async (_, list) => {
  const opening = vi.mocked(openDB).mockReset();
  opening.mockRejectedValueOnce(new Error('the storage is busy'));
  opening.mockResolvedValue({ getAll: async () => [] } as never);
  const kept = list();
  await expect(kept.all()).rejects.toThrow('the storage is busy');
  expect(await kept.all()).toEqual([]);
  expect(await kept.all()).toEqual([]);
  expect(opening).toHaveBeenCalledTimes(2);
});
