import type { DataProgress } from '../../../../workers/data/protocol.ts';
import type { RunRecord } from '../../../../workers/train/protocol.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import type { Launch } from './launch.svelte.ts';
import type { RunList } from './run-list.svelte.ts';
import type { RunState } from './run.svelte.ts';
import type { Services } from '../workers.ts';

/** The controls of training: start, pause, step, stop, resume. */
export class Training {
  constructor(
    private readonly run: RunState,
    private readonly launch: Launch,
    private readonly runs: RunList,
    private readonly workers: Services,
  ) {}

  /** What is being prepared, and how far it is. */
  get preparing(): DataProgress | null {
    return this.launch.preparing;
  }

  start(config: RunConfig): Promise<void> {
    return this.launch.start(config);
  }

  resume(record: RunRecord): Promise<void> {
    return this.launch.resume(record);
  }

  /** From its first step, for a run of which nothing was stored: its row makes room for the new one. */
  async startAgain({ id, config, name, notes = '', tags = [] }: RunRecord): Promise<void> {
    await this.start(config);
    if (this.run.record === null) return;
    await this.runs.describe(this.run.record.id, { name, notes, tags });
    await this.runs.remove(id);
  }

  pause(): Promise<unknown> {
    return this.workers.attempt(() => this.workers.train.pause());
  }

  step(): Promise<unknown> {
    return this.workers.attempt(() => this.workers.train.step());
  }

  continue(): Promise<unknown> {
    return this.workers.attempt(() => this.workers.train.continue());
  }

  /** Ends the run at a checkpoint, or gives up preparing one. */
  async stop(): Promise<void> {
    const { record } = this.run;
    if (record === null) {
      this.launch.abandon();
      this.run.status = 'idle';
      await this.workers.attempt(() => this.workers.analyse.cancel());
      return;
    }
    await this.workers.attempt(() => this.workers.train.stop(record.id));
    await this.runs.refresh();
  }

  /** What was under way has died with its worker. */
  abandon(): void {
    this.launch.abandon();
    this.run.status = this.run.record === null ? 'idle' : 'interrupted';
  }
}
