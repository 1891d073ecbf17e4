import type { CheckpointStore } from '../../src/training/checkpoint-store.ts';
import { snapshotPlan } from '../../src/config/snapshot-plan.ts';
import { saveSnapshot } from '../../src/training/snapshot-store.ts';
import type { WeightsSnapshot } from '../analyse/protocol.ts';
import type { RunRecord, TrainEvent } from './protocol.ts';

/** Stores a run's weights at the steps of its plan. */
export class RunSnapshots {
  private readonly planned: Set<number>;
  /** Set once a snapshot could not be written: the next would fail, too, and take the time of training. */
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
    this.failed = !saved.ok;
    this.onEvent(saved.ok ? { kind: 'snapshot', step } : { kind: 'notice', failure: saved.error });
  }
}
