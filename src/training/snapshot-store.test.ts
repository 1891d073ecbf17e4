import { expect, it } from 'vitest';
import { sampleCheckpoint } from '../../fixtures/sample-run.ts';
import { unwrap } from '../base/result.ts';
import { newestStep } from './checkpoint-store.ts';
import { MemoryStore } from './memory-store.ts';
import { readSnapshot, saveSnapshot, storedSnapshots } from './snapshot-store.ts';

const { parameters } = sampleCheckpoint(5);

it('gives the weights of a step back, to half precision', async () => {
  const store = new MemoryStore();
  for (const step of [30, 0, 4]) unwrap(await saveSnapshot(store, 'r', step, parameters));
  expect(await storedSnapshots(store, 'r')).toEqual([0, 4, 30]);
  expect(await storedSnapshots(store, 'other')).toEqual([]);
  // It is nothing to go on from.
  expect(await newestStep(store, 'r')).toBeNull();
  const found = unwrap(await readSnapshot(store, 'r', 4));
  expect([...found.keys()]).toEqual([...parameters.keys()]);
  for (const [name, { shape, data }] of parameters) {
    expect(found.get(name)!.shape).toEqual(shape);
    for (const [i, value] of data.entries())
      expect(Math.abs(found.get(name)!.data[i] - value)).toBeLessThanOrEqual(2 ** -11 * Math.abs(value) + 2 ** -25);
  }
});

it('leaves nothing where the storage is full, and says so', async () => {
  const store = new MemoryStore();
  store.faults.quota = 100;
  expect(await saveSnapshot(store, 'r', 7, parameters)).toMatchObject({
    ok: false,
    error: { code: 'snapshots-full', message: expect.stringContaining('Training goes on') },
  });
  expect(await store.list('r')).toEqual([]);
});

it('removes a file that was cut short once it is found', async () => {
  const store = new MemoryStore();
  for (const left of [0, 500]) {
    store.faults.truncateNext = left;
    unwrap(await saveSnapshot(store, 'r', 7, parameters));
    expect(await readSnapshot(store, 'r', 7)).toMatchObject({ ok: false, error: { code: 'snapshot-damaged' } });
    expect(await storedSnapshots(store, 'r')).toEqual([]);
  }
  expect(await readSnapshot(store, 'r', 7)).toMatchObject({ ok: false, error: { code: 'no-snapshot' } });
});

it('refuses weights that are no numbers', async () => {
  const store = new MemoryStore();
  const broken = new Map([['w', { shape: [1], data: Float32Array.of(NaN) }]]);
  unwrap(await saveSnapshot(store, 'r', 7, broken));
  expect(await readSnapshot(store, 'r', 7)).toMatchObject({ ok: false, error: { code: 'snapshot-damaged' } });
});
