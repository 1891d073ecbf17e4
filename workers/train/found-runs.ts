import { grammarOf } from '../../src/domains/domains.ts';
import { parameterCount, tokenEmbeddingName } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import type { Evaluation } from '../../src/studies/live.ts';
import { readEvaluation } from '../../src/studies/stored-evaluation.ts';
import { newestCheckpoint, newestStep } from '../../src/training/checkpoint-store.ts';
import type { Checkpoint } from '../../src/training/checkpoint.ts';
import { storedSnapshots } from '../../src/training/snapshot-store.ts';
import { sketchOf } from './curve-sketch.ts';
import type { TrainHost } from './handlers.ts';
import type { DamagedRun, RunListing, RunRecord } from './protocol.ts';
import { runName } from './run-name.ts';

type Storage = Pick<TrainHost, 'runs' | 'checkpoints' | 'locks' | 'clock'>;

/**
 * The list held against the checkpoints that are there, since a browser may lose either. A run that nobody trains any
 * more is told as interrupted, and one whose checkpoints are gone as lost; checkpoints without a sound row get one.
 */
export async function foundRuns(host: Storage): Promise<RunListing> {
  // In this order, so that a run which is begun or deleted meanwhile is not taken for one without a row.
  const filed = await filedRuns(host);
  const held = await host.locks.held();
  const listed = await host.runs.all();
  const runs = await Promise.all(listed.runs.map((run) => (held.has(run.id) ? run : asFiled(host, run))));
  const damaged: DamagedRun[] = [];

  const rows = new Set([...listed.runs, ...listed.damaged].map(({ id }) => id));
  const unlisted = filed.filter((id) => !rows.has(id)).map((id) => ({ id, name: null, reason: '' }));
  for (const row of [...listed.damaged, ...unlisted]) {
    if (held.has(row.id)) continue;
    // Storage that fails here leaves a damaged row as it is.
    const restored = await restoredRun(host, row).catch(() => (row.reason === '' ? null : row));
    if (restored === null) continue;
    if ('config' in restored) runs.push(restored);
    else damaged.push(restored);
  }
  for (const run of runs) run.snapshots = await snapshotsOf(host, run);
  return { runs, damaged };
}

/** Of the weights that a checkpoint holds. */
export function evaluationOf({ curve, kept }: Checkpoint): Evaluation | null {
  const found = kept === null ? curve.evaluations.at(-1) : curve.evaluationOf(kept);
  return found ? readEvaluation(found) : null;
}

/**
 * Steps up to the run's newest checkpoint whose snapshots are stored: later ones are of a part that will be trained again.
 * None where the storage cannot be read.
 */
export async function snapshotsOf(
  { checkpoints }: Pick<Storage, 'checkpoints'>,
  { id, step }: Pick<RunRecord, 'id' | 'step'>,
): Promise<number[]> {
  try {
    return (await storedSnapshots(checkpoints, id)).filter((stored) => stored <= step);
  } catch {
    return [];
  }
}

/** None where the storage of files cannot be read: the list is then taken at its word. */
async function filedRuns({ checkpoints }: Storage): Promise<string[]> {
  try {
    return await checkpoints.runs();
  } catch {
    return [];
  }
}

/** A run that nobody trains, as its files say it is. */
async function asFiled({ checkpoints }: Storage, run: RunRecord): Promise<RunRecord> {
  const open = run.status === 'running' || run.status === 'preparing' || run.status === 'paused';
  const listed: RunRecord = open ? { ...run, status: 'interrupted' } : run;
  try {
    const step = await newestStep(checkpoints, run.id);
    if (step === null && run.step > 0) return { ...run, status: 'lost', step: 0 };
    return { ...listed, step: step ?? 0 };
  } catch {
    return listed;
  }
}

/**
 * A row made again from a run's newest checkpoint, or what is wrong with it. Null where nothing of a run is there: what a
 * killed tab may leave besides checkpoints is cleared away.
 */
async function restoredRun(host: Storage, row: DamagedRun): Promise<RunRecord | DamagedRun | null> {
  const { checkpoints } = host;
  const found = await newestCheckpoint(checkpoints, row.id);
  if (found.ok && found.value) {
    const record = recordOf(row, found.value.checkpoint, host.clock());
    // Where the list takes no row now, it is made again the next time.
    await host.runs.put(record).catch(() => {});
    return record;
  }
  if (!found.ok)
    return { ...row, reason: `${row.reason} Its checkpoints cannot be used: ${found.error.message}`.trim() };
  if (row.reason !== '') return { ...row, reason: `${row.reason} No checkpoint is left to make it again from.` };
  for (const name of await checkpoints.list(row.id)) await checkpoints.remove(row.id, name);
  return null;
}

function recordOf({ id, name }: DamagedRun, checkpoint: Checkpoint, now: number): RunRecord {
  const { config, step, curve, kept, parameters } = checkpoint;
  const [size] = parameters.get(tokenEmbeddingName(config.model.kind))!.shape;
  return {
    id,
    name: name ?? runName(config),
    createdAt: now,
    config,
    status: kept !== null || step >= config.schedule.steps ? 'finished' : 'stopped',
    step,
    parameters: parameterCount(modelOf(config, { size, slots: grammarOf(config) })),
    backend: null,
    updatedAt: now,
    loss: curve.losses().at(-1) ?? null,
    evaluation: evaluationOf(checkpoint),
    sketch: sketchOf(curve),
    restored: true,
  };
}
