import { fail, ok, type Result } from '../base/result.ts';
import { finite } from '../interchange/agreement.ts';
import { readSafetensors, writeHalfSafetensors } from '../interchange/safetensors.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { isStorageFull, type CheckpointStore } from './checkpoint-store.ts';

/**
 * Snapshots lie beside a run's checkpoints, so that whatever deletes a run deletes them: the weights of one step each, as
 * a safetensors file in half precision, without the optimiser's state. A run cannot go on from one.
 */

const nameOf = (step: number): string => `snapshot-${String(step).padStart(9, '0')}.safetensors`;

/** Steps of a run whose snapshots are stored, by their names alone, ascending. */
export async function storedSnapshots(store: CheckpointStore, runId: string): Promise<number[]> {
  const names = await store.list(runId);
  const steps = names.flatMap((name) => /^snapshot-(\d+)\.safetensors$/.exec(name)?.[1] ?? []).map(Number);
  return steps.sort((a, b) => a - b);
}

/** Removes all snapshots of a run; whether there were any. */
export async function clearSnapshots(store: CheckpointStore, runId: string): Promise<boolean> {
  const steps = await storedSnapshots(store, runId);
  for (const step of steps) await store.remove(runId, nameOf(step));
  return steps.length > 0;
}

/**
 * Stores the weights of a step. Fails with `snapshots-full` where the storage is full, and with `snapshot-not-written`;
 * nothing is left of the file then. Neither is a reason to end a run.
 */
export async function saveSnapshot(
  store: CheckpointStore,
  runId: string,
  step: number,
  parameters: NamedArrays,
): Promise<Result<void>> {
  const bytes = writeHalfSafetensors(parameters, { format: 'blindfold-snapshot', step: String(step) });
  if (!bytes.ok) return bytes;
  try {
    await store.write(runId, nameOf(step), bytes.value);
    return ok(undefined);
  } catch (error) {
    await store.remove(runId, nameOf(step)).catch(() => {});
    if (isStorageFull(error))
      return fail(
        'snapshots-full',
        `The storage is full, so no snapshots are stored from step ${step} on. Training goes on; delete old runs to make room.`,
      );
    return fail(
      'snapshot-not-written',
      `The snapshot of step ${step} was not written (${error instanceof Error ? error.message : String(error)}). Training goes on without it.`,
    );
  }
}

/**
 * The weights of a run after a step. Fails with `no-snapshot` where there is no such file, and with `snapshot-damaged`
 * where it was cut short, as a tab that was closed while it was written leaves it; that file is removed.
 */
export async function readSnapshot(store: CheckpointStore, runId: string, step: number): Promise<Result<NamedArrays>> {
  const name = nameOf(step);
  let bytes: Uint8Array;
  try {
    if (!(await store.list(runId)).includes(name))
      return fail('no-snapshot', `This run has no snapshot of step ${step}; choose another step.`);
    bytes = await store.read(runId, name);
  } catch (error) {
    return fail(
      'snapshot-not-read',
      `The snapshot of step ${step} could not be read (${error instanceof Error ? error.message : String(error)}). Choose another step.`,
    );
  }
  const file = readSafetensors(bytes);
  const weights = file.ok ? finite(file.value.tensors, name) : file;
  if (weights.ok) return weights;
  await store.remove(runId, name).catch(() => {});
  return fail(
    'snapshot-damaged',
    `The snapshot of step ${step} is damaged and has been removed (${weights.error.message}) Choose another step.`,
    { file: name },
  );
}
