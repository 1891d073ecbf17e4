import { fail, ok, type Failure, type Result } from '../base/result.ts';
import { decodeCheckpoint, type Checkpoint } from './checkpoint.ts';

/** Where a run's checkpoints lie: files by name, a set for each run. Methods reject where the storage fails. */
export interface CheckpointStore {
  /** Names in any order; none for a run that has no files. */
  list(runId: string): Promise<string[]>;
  read(runId: string, name: string): Promise<Uint8Array>;
  /** Resolves once the whole file would survive a closed tab. */
  write(runId: string, name: string, bytes: Uint8Array): Promise<void>;
  remove(runId: string, name: string): Promise<void>;
}

/** A store that knows whose files it holds. */
export interface RunStore extends CheckpointStore {
  /** Runs that have files, in any order. */
  runs(): Promise<string[]>;
}

/** The newest is the one to go on from; the one before it is there in case the newest was cut short. */
const RETAINED = 2;

/** The file of a step's checkpoint. */
export const checkpointName = (step: number): string => `checkpoint-${String(step).padStart(9, '0')}.safetensors`;

const stepOf = (name: string): number | null => {
  const match = /^checkpoint-(\d+)\.safetensors$/.exec(name);
  return match ? Number(match[1]) : null;
};

/** Checkpoint names of a run, newest first. */
async function newestFirst(store: CheckpointStore, runId: string): Promise<string[]> {
  const names = (await store.list(runId)).filter((name) => stepOf(name) !== null);
  return names.sort((a, b) => stepOf(b)! - stepOf(a)!);
}

/**
 * Writes the checkpoint of a step whole, and only then removes all but the newest two and that of the step `best`, which
 * a run may want to end with. A failed write leaves the older ones as they were; training may go on.
 */
export async function saveCheckpoint(
  store: CheckpointStore,
  runId: string,
  step: number,
  bytes: Uint8Array,
  best: number | null = null,
): Promise<Result<void>> {
  const name = checkpointName(step);
  let before: string[] = [];
  try {
    before = await store.list(runId);
    await store.write(runId, name, bytes);
  } catch (error) {
    // A part of a file is cleared away; a whole one of the same step, from before, is not.
    if (!before.includes(name)) await store.remove(runId, name).catch(() => {});
    return writeFailure(error, step);
  }
  try {
    for (const old of (await newestFirst(store, runId)).slice(RETAINED))
      if (stepOf(old) !== best) await store.remove(runId, old);
  } catch {
    // The new one is safe; what could not be cleared now is tried again after the next.
  }
  return ok(undefined);
}

/** Whether a store refused to write for want of room, in a browser or in Node. */
export function isStorageFull(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return name === 'QuotaExceededError' || code === 'ENOSPC' || code === 'EDQUOT';
}

function writeFailure(error: unknown, step: number): Result<never> {
  if (isStorageFull(error))
    return fail(
      'storage-full',
      `The checkpoint of step ${step} was not written: the storage is full. Training goes on and the older checkpoint is kept; delete old runs to make room.`,
    );
  return fail(
    'checkpoint-not-written',
    `The checkpoint of step ${step} was not written (${error instanceof Error ? error.message : String(error)}). Training goes on and the older checkpoint is kept.`,
  );
}

export interface FoundCheckpoint {
  name: string;
  checkpoint: Checkpoint;
  /** Set where a newer file was there but could not be used. */
  notice: Failure | null;
}

/**
 * The newest checkpoint that can be read, or null where the run has none. Where a newer one is cut short or damaged,
 * the older is given with a notice that says so; where none can be read, the failure is the newest one's.
 */
export async function newestCheckpoint(store: CheckpointStore, runId: string): Promise<Result<FoundCheckpoint | null>> {
  let newest: Failure | null = null;
  for (const name of await newestFirst(store, runId)) {
    const found = await read(store, runId, name);
    if (found.ok) {
      const notice: Failure | null = newest && {
        code: 'checkpoint-older',
        message: `The newest checkpoint could not be used (${newest.message}) The run goes on from step ${found.value.step} instead.`,
        where: { file: name },
      };
      return ok({ name, checkpoint: found.value, notice });
    }
    newest ??= { ...found.error, where: { ...found.error.where, file: name } };
  }
  return newest ? { ok: false, error: newest } : ok(null);
}

/** Step of the newest checkpoint, by its name alone; null where the run has none. */
export async function newestStep(store: CheckpointStore, runId: string): Promise<number | null> {
  const [newest] = await newestFirst(store, runId);
  return newest === undefined ? null : stepOf(newest);
}

/** The checkpoint of a step; fails where there is none or it is damaged. */
export function checkpointOf(store: CheckpointStore, runId: string, step: number): Promise<Result<Checkpoint>> {
  return read(store, runId, checkpointName(step));
}

async function read(store: CheckpointStore, runId: string, name: string): Promise<Result<Checkpoint>> {
  let bytes: Uint8Array;
  try {
    bytes = await store.read(runId, name);
  } catch (error) {
    return fail(
      'checkpoint-not-read',
      `${name} could not be read (${error instanceof Error ? error.message : String(error)}).`,
    );
  }
  return decodeCheckpoint(bytes);
}
