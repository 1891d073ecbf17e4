import { expect, it } from 'vitest';
import { sampleCheckpoint } from '../../fixtures/sample-run.ts';
import { unwrap } from '../base/result.ts';
import { newestCheckpoint, saveCheckpoint } from './checkpoint-store.ts';
import { encodeCheckpoint } from './checkpoint.ts';
import { opfsStore } from './opfs-store.ts';

it('keeps the newest two checkpoints of each run apart, and forgets a run whose files are gone', async () => {
  const store = opfsStore();
  for (const step of [1, 2, 3])
    unwrap(await saveCheckpoint(store, 'first', step, encodeCheckpoint(sampleCheckpoint(step))));
  unwrap(await saveCheckpoint(store, 'second', 9, encodeCheckpoint(sampleCheckpoint(9))));
  expect(await store.list('first')).toHaveLength(2);
  expect((await store.runs()).sort()).toEqual(['first', 'second']);
  const found = unwrap(await newestCheckpoint(store, 'first'));
  expect(found!.checkpoint.parameters).toEqual(sampleCheckpoint(3).parameters);
  for (const run of ['first', 'second']) for (const name of await store.list(run)) await store.remove(run, name);
  expect(await store.list('first')).toEqual([]);
  expect(unwrap(await newestCheckpoint(store, 'second'))).toBeNull();
  expect(await store.runs()).toEqual([]);
  await store.remove('first', 'never-there');
});
