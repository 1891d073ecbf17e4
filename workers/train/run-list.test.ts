import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { defaultPreset } from '../../src/config/presets.ts';
import { indexedAssessmentLists } from '../measure/assessment-list.ts';
import type { RunRecord } from './protocol.ts';
import { indexedRunList, memoryRunList } from './run-list.ts';

vi.mock('idb', () => ({ openDB: vi.fn() }));

test('a row that cannot be used is no run, and is told of beside the others', async () => {
  const whole = {
    ...{ id: 'whole', name: 'Whole', config: defaultPreset.config, status: 'stopped', step: 3, parameters: 9 },
    ...{ backend: 'wasm', createdAt: 1, updatedAt: 1, loss: null, evaluation: null },
  };
  const rows = new Map<string, object>([
    ['whole', whole],
    ['broken', { ...whole, id: 'broken', config: null }],
  ]);
  const database = { getAll: async () => [...rows.values()], get: async (_: string, id: string) => rows.get(id) };
  vi.mocked(openDB)
    .mockReset()
    .mockResolvedValue(database as never);
  const list = indexedRunList();
  expect(await list.all()).toMatchObject({ runs: [{ id: 'whole' }], damaged: [{ id: 'broken', name: 'Whole' }] });
  expect(await list.get('whole')).toEqual(whole);
  expect(await list.get('broken')).toBeUndefined();
  expect(await list.get('never')).toBeUndefined();
});

test('scores of older builds are read as those of this one', async () => {
  const score = { mean: 0.5, n: 8, ci95: [0.2, 0.8] };
  const task = { exact: score, legal: score };
  const range = { endActual: task, startActual: task };
  const row = {
    ...{ id: 'old', name: 'Old', config: defaultPreset.config, status: 'stopped', step: 3, parameters: 9 },
    ...{ backend: 'wasm', createdAt: 1, updatedAt: 1, loss: null },
    evaluation: { step: 3, devPerplexity: 20, short: range, long: range },
  };
  vi.mocked(openDB)
    .mockReset()
    .mockResolvedValue({ getAll: async () => [row] } as never);
  const { runs } = await indexedRunList().all();
  expect(runs[0].evaluation).toMatchObject({
    step: 3,
    devPerplexity: 20,
    scores: { testbed: { 'end-legal-long': score } },
  });
});

test('assessments of the testbed are found where they were before there were several studies', async () => {
  const opening = vi.mocked(openDB).mockReset();
  opening.mockResolvedValue({ getAll: async () => [{ id: 'old', createdAt: 1 }] } as never);
  const lists = indexedAssessmentLists();
  expect(await lists('testbed').all()).toEqual([{ id: 'old', createdAt: 1, study: 'testbed' }]);
  await lists('splat').all();
  await lists('soundness').all();
  expect(opening.mock.calls.map(([name]) => name)).toEqual([
    'blindfold-assessments',
    'blindfold-splat',
    'blindfold-soundness',
  ]);
});

test.each([
  ['runs', indexedRunList],
  ['assessments', () => indexedAssessmentLists()('testbed')],
])('the list of %s opens its database once, and again where that failed', async (_, list) => {
  const opening = vi.mocked(openDB).mockReset();
  opening.mockRejectedValueOnce(new Error('the storage is busy'));
  opening.mockResolvedValue({ getAll: async () => [] } as never);
  const runs = list();
  await expect(runs.all()).rejects.toThrow('the storage is busy');
  await runs.all();
  await runs.all();
  expect(opening).toHaveBeenCalledTimes(2);
});

test('what a person wrote about a run stays where its row is written by training that has not heard of it', async () => {
  const row = {
    ...{ id: 'mine', name: '4 x 64', config: defaultPreset.config, status: 'running', step: 3, parameters: 9 },
    ...{ backend: 'wasm', createdAt: 1, updatedAt: 1, loss: null, evaluation: null },
  } as RunRecord;
  const written = { name: 'The good one', notes: 'wide', tags: ['thesis'] };
  const rows = new Map<string, RunRecord>();
  const store = { get: async (id: string) => rows.get(id), put: async (one: RunRecord) => rows.set(one.id, one) };
  const database = {
    get: async (_: string, id: string) => rows.get(id),
    transaction: () => ({ store, done: Promise.resolve() }),
  };
  vi.mocked(openDB)
    .mockReset()
    .mockResolvedValue(database as never);
  for (const list of [indexedRunList(), memoryRunList()]) {
    expect(await list.describe('mine', written)).toBe(false);
    await list.put(row);
    expect(await list.describe('mine', written)).toBe(true);
    await list.put({ ...row, step: 9, status: 'finished' });
    expect(await list.get('mine')).toEqual({ ...row, ...written, step: 9, status: 'finished' });
  }
});
