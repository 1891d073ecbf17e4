import type { RunRecord } from '../../../../workers/train/protocol.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import type { Answers } from '../asking/answers.svelte.ts';
import type { Notices } from '../notices.svelte.ts';
import type { RunList } from './run-list.svelte.ts';
import type { RunState } from './run.svelte.ts';

/** Whether a run of the list has weights to look at, and no tab trains it. */
export function isAtRest({ status, step }: RunRecord): boolean {
  return step > 0 && ['stopped', 'finished', 'failed', 'interrupted'].includes(status);
}

/** Takes the Train page back to what a run knew at an earlier step; training goes on meanwhile. */
export class LookBack {
  constructor(
    private readonly run: RunState,
    private readonly runs: RunList,
    private readonly answers: Answers,
    private readonly notices: Notices,
  ) {}

  /** What an address says of the run and the step on show: nothing of a run that is trained on this page, as it is now. */
  get query(): string {
    const { record, past, stored } = this.run;
    if (record === null || (past === null && !stored)) return '';
    return new URLSearchParams({ run: record.id, ...(past === null ? {} : { step: String(past) }) }).toString();
  }

  /** Shows the run after one of its stored steps; null shows it as it is now. */
  look(step: number | null): void {
    const run = this.run;
    if (run.record === null || step === run.past) return;
    run.past = step;
    // Another model may have answered since the run was over, or the worker was lost.
    const answers = run.active || (this.answers.hasModel && !this.answers.shipped.answers);
    if (answers) this.answers.changeStep(run.record.config);
    else void this.answers.openRun(run.record);
  }

  /** Shows the run and the step that an address names; the config of a run that was opened for it, else null. */
  async open(params: URLSearchParams): Promise<RunConfig | null> {
    const run = this.run;
    const id = params.get('run');
    if (id === null) return null;
    if (run.record?.id === id) {
      this.look(this.#stepIn(params));
      return null;
    }
    if (run.active) {
      this.#report('A run is going on, so the run of the link was not opened. Stop it, then open the link again.');
      return null;
    }
    const record = await this.#show(id);
    if (record === null) return null;
    run.past = this.#stepIn(params);
    void this.answers.openRun(record);
    return record.config;
  }

  /** A stored run on the page, as its newest checkpoint has it; null where a notice says why not. */
  async #show(id: string): Promise<RunRecord | null> {
    await this.runs.refresh();
    const record = this.runs.named(id);
    if (record === null || !isAtRest(record)) {
      this.#report(
        record === null
          ? 'The run of the link is not stored on this device. Runs stay where they were trained; the Runs page lists those that are here.'
          : `“${record.name}” cannot be opened now: it has no checkpoint, or another tab trains it.`,
      );
      return null;
    }
    const numbers = await this.runs.numbers(id);
    if (numbers === null || this.run.active) return null;
    this.answers.domain = record.config.domain;
    this.run.show(record, numbers);
    return record;
  }

  #stepIn(params: URLSearchParams): number | null {
    const text = params.get('step');
    if (text === null) return null;
    const step = this.run.snapshots.find((stored) => String(stored) === text);
    if (step === undefined) this.#report('The run has no snapshot of the step in the link; it is shown as it is now.');
    return step ?? null;
  }

  #report(message: string): void {
    this.notices.report({ code: 'link-run', message });
  }
}
