import { expect, test } from 'vitest';
import { unwrap } from '../../src/base/result.ts';
import { encodeCheckpoint } from '../../src/training/checkpoint.ts';
import { saveCheckpoint } from '../../src/training/checkpoint-store.ts';
import { MemoryStore } from '../../src/training/memory-store.ts';
import { sampleCheckpoint, sampleConfig } from '../../fixtures/sample-run.ts';
import { foundRuns } from './found-runs.ts';
import type { RunRecord } from './protocol.ts';
import { memoryLocks } from './run-locks.ts';
import { memoryRunList } from './run-list.ts';

const row = (id: string, changes: object = {}): RunRecord => ({
  ...{ id, name: `Run ${id}`, config: sampleConfig, status: 'running', step: 8, parameters: 1, backend: 'wasm' },
  ...{ createdAt: 1, updatedAt: 1, loss: 2, evaluation: null, ...changes },
});

function device() {
  const store = new MemoryStore();
  const host = { runs: memoryRunList(), checkpoints: store, locks: memoryLocks(), clock: () => 7000 };
  const save = async (id: string, step: number) =>
    unwrap(await saveCheckpoint(store, id, step, encodeCheckpoint(sampleCheckpoint(step))));
  return { ...host, store, save };
}

test('a run that nobody trains is told as interrupted, at the step that its files are of', async () => {
  const host = device();
  await host.save('cut', 4);
  await host.save('live', 4);
  await host.locks.hold('live');
  for (const id of ['cut', 'live']) await host.runs.put(row(id));
  await host.runs.put(row('early', { step: 0, status: 'preparing' }));
  const { runs, damaged } = await foundRuns(host);
  expect(new Map(runs.map(({ id, status, step }) => [id, [status, step]]))).toEqual(
    new Map<string, unknown>([
      ['cut', ['interrupted', 4]],
      ['live', ['running', 8]],
      ['early', ['interrupted', 0]],
    ]),
  );
  expect(damaged).toEqual([]);
});

test('a run whose checkpoints are gone is told as lost', async () => {
  const host = device();
  await host.runs.put(row('gone', { status: 'finished' }));
  expect(await foundRuns(host)).toMatchObject({ runs: [{ id: 'gone', status: 'lost', step: 0 }], damaged: [] });
});

test('checkpoints without a row get one, which is kept', async () => {
  const host = device();
  await host.save('half', 8);
  await host.save('whole', sampleConfig.schedule.steps);
  const { runs } = await foundRuns(host);
  expect(runs).toHaveLength(2);
  expect(runs.find(({ id }) => id === 'half')).toMatchObject({
    ...{ status: 'stopped', step: 8, backend: null, updatedAt: 7000, restored: true, config: sampleConfig },
    ...{ evaluation: { step: 0, devPerplexity: 70.25 } },
  });
  expect(await host.runs.get('whole')).toMatchObject({ status: 'finished', restored: true });
});

test('a row made again from a checkpoint of an older build has its scores as this one lists them', async () => {
  const host = device();
  const checkpoint = sampleCheckpoint(8);
  const score = { mean: 0.5, n: 8, ci95: [0.2, 0.8] };
  const splat = { legalVerbs: score, questions: { winning: score } };
  const old = { step: 5, devPerplexity: 2, splat };
  checkpoint.curve.addEvaluation(old);
  unwrap(await saveCheckpoint(host.store, 'old', 8, encodeCheckpoint(checkpoint)));
  const [{ evaluation }] = (await foundRuns(host)).runs;
  const scores = { splat: { 'legal-verbs': score, 'question winning': score } };
  expect(evaluation).toEqual({ step: 5, devPerplexity: 2, scores });
});

test('a damaged row is made again from its checkpoint; without one it is told with its reason, and the others stay', async () => {
  const host = device();
  await host.save('good', 4);
  await host.save('mended', 4);
  await host.runs.put(row('good'));
  await host.runs.put(row('mended', { config: null }));
  await host.runs.put(row('broken', { config: null }));
  await host.runs.put(row('odd', { name: 5, step: 'x' }));
  const { runs, damaged } = await foundRuns(host);
  expect(runs.map(({ id, name, step }) => [id, name, step]).sort()).toEqual([
    ['good', 'Run good', 4],
    ['mended', 'Run mended', 4],
  ]);
  expect(damaged.map(({ id, name }) => [id, name])).toEqual([
    ['broken', 'Run broken'],
    ['odd', null],
  ]);
  expect(damaged[0].reason).toMatch(/settings cannot be used.*No checkpoint is left/);
  expect(damaged[1].reason).toMatch(/^Its row in the list is damaged \(name: /);
});

test('checkpoints that cannot be read are told; what a killed tab left besides is cleared away', async () => {
  const host = device();
  host.store.faults.truncateNext = 100;
  await host.save('cut', 4);
  await host.store.write('rest', 'checkpoint-000000004.safetensors.crswap', new Uint8Array(3));
  const { runs, damaged } = await foundRuns(host);
  expect(runs).toEqual([]);
  expect(damaged).toMatchObject([{ id: 'cut', name: null }]);
  expect(damaged[0].reason).toMatch(/^Its checkpoints cannot be used: /);
  expect(await host.store.runs()).toEqual(['cut']);
});

test('where the files cannot be looked at the list is taken at its word', async () => {
  const host = device();
  await host.runs.put(row('kept', { status: 'stopped' }));
  const denied = () => Promise.reject(new DOMException('denied', 'SecurityError'));
  const checkpoints = Object.assign(new MemoryStore(), { runs: denied, list: denied });
  expect((await foundRuns({ ...host, checkpoints })).runs).toMatchObject([{ id: 'kept', status: 'stopped', step: 8 }]);
});
