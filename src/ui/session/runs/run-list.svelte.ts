import type { DamagedRun, RunDescription, RunNumbers, RunRecord } from '../../../../workers/train/protocol.ts';
import type { Notices } from '../notices.svelte.ts';
import { isPutAway, putAway, putAwayBefore } from './put-away.ts';
import type { RunState } from './run.svelte.ts';
import type { Services } from '../workers.ts';

/** The runs that are stored on this device, newest first. */
export class RunList {
  /** Null until they are read. */
  list = $state.raw<RunRecord[] | null>(null);
  /** Whether the storage refused the list when it was last asked for. */
  refused = $state(false);
  /** Runs that can only be deleted. */
  damaged = $state.raw<DamagedRun[]>([]);
  /** The run that was cut off and that the page offers to go on with; null where there is none. */
  interrupted = $derived.by(() => {
    if (this.current.active) return null;
    const isOffered = (run: RunRecord): boolean =>
      run.status === 'interrupted' && !this.#dismissed.includes(run.id) && !isPutAway(this.#putAway, run);
    return this.list?.find(isOffered) ?? null;
  });

  #dismissed = $state.raw<string[]>([]);
  #putAway = $state.raw(putAwayBefore());

  constructor(
    private readonly current: RunState,
    private readonly workers: Services,
    private readonly notices: Notices,
  ) {}

  async refresh(): Promise<void> {
    const found = await this.workers.attempt(() => this.workers.train.runs());
    this.refused = found === null;
    if (found === null) return;
    this.list = found.runs.toSorted((a, b) => b.updatedAt - a.updatedAt);
    this.damaged = found.damaged;
  }

  named(id: string | null): RunRecord | null {
    return this.list?.find((run) => run.id === id) ?? null;
  }

  /** Writes a run's name, notes and tags; whether that was done. */
  async describe(id: string, description: RunDescription): Promise<boolean> {
    const written = await this.workers.attempt(() => this.workers.train.describe(id, description));
    if (written !== null && !written.ok) this.notices.report(written.error);
    const { record } = this.current;
    if (written?.ok && record?.id === id) this.current.record = { ...record, ...written.value };
    await this.refresh();
    return written?.ok ?? false;
  }

  /** The curve of a run; null once a notice says why it cannot be read. */
  async numbers(id: string): Promise<RunNumbers | null> {
    const found = await this.workers.attempt(() => this.workers.train.numbers(id));
    if (found !== null && !found.ok) this.notices.report(found.error);
    return found?.ok ? found.value : null;
  }

  async remove(id: string): Promise<void> {
    const removed = await this.workers.attempt(() => this.workers.train.remove(id));
    if (removed !== null && !removed.ok) this.notices.report(removed.error);
    await this.refresh();
  }

  /** No banner about this run while the page is open; the run stays in the list. */
  dismiss(id: string): void {
    this.#dismissed = [...this.#dismissed, id];
  }

  /** Puts the banner about an interrupted run away for good; the run stays in the list. */
  putAway(run: RunRecord): void {
    this.#putAway = putAway(this.#putAway, run);
  }
}
