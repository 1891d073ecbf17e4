import { describe, expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { checkpointOf, newestCheckpoint, saveCheckpoint } from './checkpoint-store.ts';
import { encodeCheckpoint } from './checkpoint.ts';
import { MemoryStore } from './memory-store.ts';
import { sampleCheckpoint } from '../../fixtures/sample-run.ts';

const save = (store: MemoryStore, step: number) =>
  saveCheckpoint(store, 'run', step, encodeCheckpoint(sampleCheckpoint(step)));

describe('the checkpoints of a run', () => {
  it('are the newest two, by step and not by spelling', async () => {
    const store = new MemoryStore();
    for (const step of [8, 9, 10, 100]) unwrap(await save(store, step));
    expect(await store.list('run')).toHaveLength(2);
    const found = unwrap(await newestCheckpoint(store, 'run'));
    expect(found).toMatchObject({ checkpoint: { step: 100 }, notice: null });
  });

  it('are also that of the best step, until another is', async () => {
    const store = new MemoryStore();
    const stepsKept = async (step: number, best: number | null) => {
      unwrap(await saveCheckpoint(store, 'run', step, encodeCheckpoint(sampleCheckpoint(step)), best));
      return (await store.list('run')).map((name) => Number(/\d+/.exec(name)![0])).sort((a, b) => a - b);
    };
    await stepsKept(4, 4);
    expect(await stepsKept(8, 4)).toEqual([4, 8]);
    expect(await stepsKept(12, 4)).toEqual([4, 8, 12]);
    expect(await stepsKept(16, 4)).toEqual([4, 12, 16]);
    expect(unwrap(await checkpointOf(store, 'run', 4)).step).toBe(4);
    expect(await stepsKept(20, 20)).toEqual([16, 20]);
    expect(await checkpointOf(store, 'run', 4)).toMatchObject({ ok: false, error: { code: 'checkpoint-not-read' } });
  });

  it('are none for a run that never saved', async () => {
    expect(unwrap(await newestCheckpoint(new MemoryStore(), 'run'))).toBeNull();
  });

  it('give way to the older when the newest was cut short, and say so', async () => {
    const store = new MemoryStore();
    unwrap(await save(store, 4));
    store.faults.truncateNext = 900;
    unwrap(await save(store, 8));
    const found = unwrap(await newestCheckpoint(store, 'run'));
    expect(found!.checkpoint.step).toBe(4);
    expect(found!.notice).toMatchObject({ code: 'checkpoint-older', message: expect.stringContaining('from step 4') });
  });

  it('fail with the newest one’s failure when none can be read', async () => {
    const store = new MemoryStore();
    for (const step of [4, 8]) {
      store.faults.truncateNext = 10 * step;
      unwrap(await save(store, step));
    }
    expect(await newestCheckpoint(store, 'run')).toMatchObject({
      ok: false,
      error: { code: 'safetensors-truncated', where: { file: 'checkpoint-000000008.safetensors' } },
    });
  });

  it('survive a full storage: the old stays, the new leaves no part', async () => {
    const store = new MemoryStore();
    unwrap(await save(store, 4));
    store.faults.quota = 1.5 * encodeCheckpoint(sampleCheckpoint(4)).length;
    const failed = await save(store, 8);
    expect(failed).toMatchObject({
      ok: false,
      error: { code: 'storage-full', message: expect.stringContaining('older checkpoint is kept') },
    });
    expect(await store.list('run')).toEqual(['checkpoint-000000004.safetensors']);
    // Writing the same step again must not cost the good file either.
    expect((await save(store, 4)).ok).toBe(false);
    expect(unwrap(await newestCheckpoint(store, 'run'))!.checkpoint.step).toBe(4);
    store.faults.quota = undefined;
    unwrap(await save(store, 12));
    expect(unwrap(await newestCheckpoint(store, 'run'))!.checkpoint.step).toBe(12);
  });
});
