import type { CheckpointStore } from '../../src/training/checkpoint-store.ts';
import { snapshotPlan } from '../../src/config/snapshot-plan.ts';
import { clearSnapshots, saveSnapshot } from '../../src/training/snapshot-store.ts';
import type { WeightsSnapshot } from '../analyse/protocol.ts';
import type { RunRecord, TrainEvent } from './protocol.ts';

/** Stores a run's weights at the steps of its plan. */
export class RunSnapshots {
  private readonly planned: Set<number>;
  /** Set once there is no room for another. */
  private failed = false;

  constructor(
    private readonly store: CheckpointStore,
    private readonly record: RunRecord,
    private readonly snapshot: () => Promise<WeightsSnapshot>,
    private readonly onEvent: (event: TrainEvent) => void,
  ) {
    this.planned = new Set(snapshotPlan(record.config, record.parameters).steps);
  }

  /** Stores the weights where the plan has the step that they are of, and they were not stored yet. */
  async takeWhenDue(step: number): Promise<void> {
    if (this.failed || !this.planned.has(step)) return;
    this.planned.delete(step);
    const { parameters } = await this.snapshot();
    const saved = await saveSnapshot(this.store, this.record.id, step, parameters);
    this.failed = !saved.ok && saved.error.code === 'snapshots-full';
    this.onEvent(saved.ok ? { kind: 'snapshot', step } : { kind: 'notice', failure: saved.error });
  }
  /** Deletes all of them, since a checkpoint needs the room; whether there were any. */
  async giveWay(): Promise<boolean> {
    this.failed = true;
    const cleared = await clearSnapshots(this.store, this.record.id).catch(() => false);
    if (!cleared) return false;
    this.onEvent({ kind: 'snapshots-cleared' });
    const message =
      'The storage is full, so this run’s snapshots were deleted to make room for its checkpoint. You can no longer look back at its earlier steps. Delete old runs to leave room for the snapshots of later ones.';
    this.onEvent({ kind: 'notice', failure: { code: 'snapshots-cleared', message } });
    return true;
  }
}
