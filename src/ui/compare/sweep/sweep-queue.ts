import type { RunRecord } from '../../../../workers/train/protocol.ts';
import type { Result } from '../../../base/result.ts';
import type { AssessPlan, SweepRun } from '../../../config/sweep.ts';
import type { Progress } from '../../../studies/asking/measuring.ts';
import type { GameSets } from '../../session/game-sets.svelte.ts';
import type { Notices } from '../../session/notices.svelte.ts';
import type { RunList } from '../../session/runs/run-list.svelte.ts';
import type { RunState } from '../../session/runs/run.svelte.ts';
import { furthestRun, isFinished, sameConfig } from '../../session/runs/same-run.ts';
import type { Training } from '../../session/runs/training.svelte.ts';
import { isOver, nextOf, sameWork, type Rest, type SweepEntry } from './sweep-entry.ts';

/** What the queue needs of the lab (lab.svelte.ts), so that a test can do without. */
export interface SweepLab {
  readonly run: Pick<RunState, 'status' | 'active' | 'record'>;
  /** Whether two models are trained in the arena, for which the queue waits. */
  readonly arenaActive: boolean;
  readonly runs: Pick<RunList, 'list' | 'refresh' | 'dismiss'>;
  readonly games: Pick<GameSets, 'list'>;
  readonly notices: Pick<Notices, 'last'>;
  readonly training: Pick<Training, 'start' | 'resume' | 'stop'>;
}

/** Assesses finished runs (sweep-measure.ts). */
export interface SweepMeasure {
  /** Fails with `cancelled` after `cancel`, and with `worker-crashed` where the worker died. */
  assess(run: RunRecord, plan: AssessPlan, onProgress: (progress: Progress) => void): Promise<Result<null>>;
  cancel(): void;
}

/** A run over which workers die again and again must not keep the others waiting. */
const MOST_CRASHES = 2;

/**
 * Trains the runs of sweeps one after another and assesses each. A run that a person starts has priority: the queue
 * waits until nothing is being trained. Whoever stops a run of the sweep rests the queue, too. After a reload the run
 * that was cut off goes on from its checkpoint.
 */
export class SweepQueue {
  entries: readonly SweepEntry[];
  rest: Rest;
  /** Of the measurement that is under way. */
  progress: Progress | null = null;
  private waiting: { when: () => boolean; then: () => void }[] = [];

  constructor(
    private readonly lab: SweepLab,
    private readonly measure: SweepMeasure,
    stored: { entries: readonly SweepEntry[]; rest: Rest },
    private readonly on: {
      /** Entries or rest have changed and are to be kept. */
      change: () => void;
      progress: () => void;
      assessed: () => void;
    },
  ) {
    this.entries = stored.entries;
    this.rest = stored.rest;
    // The queue resumes interrupted runs by itself.
    for (const { run } of this.entries) if (run !== null) lab.runs.dismiss(run);
  }

  get next(): SweepEntry | null {
    return nextOf(this.entries);
  }

  /** Works until the page is closed. To be called once. */
  async work(): Promise<never> {
    for (;;) {
      await this.until(() => this.ready);
      // Between the word and its being heard, somebody may have paused the queue or started a run.
      if (this.ready) await this.workOn(this.next!);
    }
  }

  private get ready(): boolean {
    const { run, runs, games, arenaActive } = this.lab;
    return (
      !arenaActive && this.rest === '' && this.next !== null && !run.active && runs.list !== null && games.list !== null
    );
  }

  /** To be called whenever the lab's run, runs or games have changed. */
  labChanged(): void {
    const ready = this.waiting.filter(({ when }) => when());
    this.waiting = this.waiting.filter((waiter) => !ready.includes(waiter));
    for (const { then } of ready) then();
  }

  /** Puts runs at the end; those that wait there already are left out. A run that exists goes on or is only assessed. */
  add(runs: readonly SweepRun[], assess: AssessPlan, newId: () => string): void {
    const open = this.entries.filter((entry) => !isOver(entry));
    const added = runs
      .filter(({ config }) => !open.some((entry) => sameWork(entry, { config, assess })))
      .map(({ name, config }): SweepEntry => {
        const run = furthestRun(config, this.lab.runs.list, this.lab.games.list)?.id ?? null;
        return { id: newId(), name, config, assess, status: 'waiting', run, failure: '', crashes: 0 };
      });
    this.entries = [...this.entries, ...added];
    this.rest = '';
    this.changed();
  }

  /** Takes an entry out. Its run, if there is one, is stopped and stays in the list of runs. */
  async remove(id: string): Promise<void> {
    const entry = this.entries.find((candidate) => candidate.id === id);
    this.entries = this.entries.filter((candidate) => candidate.id !== id);
    this.changed();
    if (entry) await this.interrupt(entry);
  }

  /** Takes out what is done. */
  clear(): void {
    this.entries = this.entries.filter((entry) => !isOver(entry));
    this.changed();
  }

  /** Stops at a checkpoint; `proceed` goes on from there. */
  async pause(): Promise<void> {
    this.rest = 'paused';
    this.changed();
    const { next } = this;
    if (next !== null) await this.interrupt(next);
  }

  proceed(): void {
    this.rest = '';
    this.changed();
  }

  retry(id: string): void {
    this.set(id, { status: 'waiting', failure: '', crashes: 0 });
    this.proceed();
  }

  private async interrupt({ status, run }: SweepEntry): Promise<void> {
    if (status === 'measuring') this.measure.cancel();
    // While it is prepared it has no record yet, and the lab gives the preparation up.
    const { active, record } = this.lab.run;
    if (status === 'training' && active && (record === null || record.id === run)) await this.lab.training.stop();
  }

  private async workOn({ id }: SweepEntry): Promise<void> {
    if (!(await this.trained(id))) return;
    const entry = this.entry(id);
    if (entry === undefined) return;
    const run = this.record(entry.run);
    if (this.rest !== '' || run === null) return this.set(id, { status: 'waiting' });
    this.set(id, { status: 'measuring' });
    const done = await this.measure.assess(run, entry.assess, (progress) => {
      this.progress = progress;
      this.on.progress();
    });
    this.progress = null;
    if (done.ok) {
      this.set(id, { status: 'assessed' });
      this.on.assessed();
    } else if (done.error.code === 'cancelled') this.set(id, { status: 'waiting' });
    else if (done.error.code === 'worker-crashed') this.crashed(id, done.error.message);
    else this.failed(id, done.error.message);
  }

  /** Trains an entry's run to its end; false where it did not get there, and the entry says why. */
  private async trained(id: string): Promise<boolean> {
    const { config, run } = this.entry(id)!;
    const listed = this.record(run);
    const known =
      (listed?.status === 'lost' ? null : listed) ?? furthestRun(config, this.lab.runs.list, this.lab.games.list);
    if (known !== null && isFinished(known)) {
      this.set(id, { run: known.id });
      return true;
    }
    this.set(id, { status: 'training', run: known?.id ?? null });
    const before = this.lab.notices.last;
    await (known === null ? this.lab.training.start(config) : this.lab.training.resume(known));
    const { record, status } = this.lab.run;
    const failure = this.lab.notices.last === before ? null : this.lab.notices.last;
    if (record === null || !sameConfig(record.config, config)) {
      if (status === 'failed') this.failed(id, failure?.message ?? 'The run could not be started.');
      else if (failure?.code === 'worker-crashed') this.crashed(id, failure.message);
      else this.stopped(id, status === 'idle');
      return false;
    }
    this.set(id, { run: record.id });
    await this.until(() => !this.lab.run.active || this.lab.run.record?.id !== record.id);
    const end = this.lab.run.record?.id === record.id ? this.lab.run.status : 'replaced';
    await this.lab.runs.refresh();
    const after = this.record(record.id);
    if (end === 'finished' || (after !== null && isFinished(after))) return true;
    if (end === 'failed') this.failed(id, this.lab.notices.last?.message ?? 'Training failed.');
    else if (end === 'interrupted')
      this.crashed(id, this.lab.notices.last?.message ?? 'Training stopped unexpectedly.');
    else this.stopped(id, end === 'stopped');
    return false;
  }

  private stopped(id: string, byHand: boolean): void {
    // An entry that was taken out was stopped on purpose, and the others go on.
    if (this.entry(id) === undefined) return;
    if (byHand && this.rest === '') this.rest = 'stopped by hand';
    this.set(id, { status: 'waiting' });
  }

  private crashed(id: string, text: string): void {
    const crashes = (this.entry(id)?.crashes ?? 0) + 1;
    if (crashes >= MOST_CRASHES) this.failed(id, text);
    else this.set(id, { status: 'waiting', crashes });
  }

  private failed(id: string, failure: string): void {
    this.set(id, { status: 'failed', failure });
  }

  private entry(id: string): SweepEntry | undefined {
    return this.entries.find((candidate) => candidate.id === id);
  }

  private record(id: string | null): RunRecord | null {
    return this.lab.runs.list?.find((run) => run.id === id) ?? null;
  }

  private set(id: string, changes: Partial<SweepEntry>): void {
    this.entries = this.entries.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry));
    this.changed();
  }

  private changed(): void {
    this.on.change();
    this.labChanged();
  }

  private until(when: () => boolean): Promise<void> {
    return when() ? Promise.resolve() : new Promise((then) => this.waiting.push({ when, then }));
  }
}
