import type { RunDescription, TrainEvent } from '../../../../workers/train/protocol.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { operationsAStep, rowLength } from '../../../studies/compute/step-cost.ts';
import { crashFailure } from '../../session/crash-message.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import { Launch } from '../../session/runs/launch.svelte.ts';
import { PromptState } from '../../session/asking/prompt.svelte.ts';
import { RunState } from '../../session/runs/run.svelte.ts';
import { Workers, type Services } from '../../session/workers.ts';

/** One of the two runs of an arena, in workers apart from those of the Train page. */
export class ArenaSide {
  readonly run = new RunState();
  /** The arena's prompt, answered by this run's model. */
  readonly prompt: PromptState;
  /** Of its steps alone, without those of the other run. */
  seconds = $state(0);
  readonly #lab: Lab;
  readonly #workers: Services;
  readonly #launch: Launch;
  readonly #onEvent: (event: TrainEvent) => void;

  /** @param onLost the run's worker died, which a notice has said */
  constructor(lab: Lab, onEvent: (event: TrainEvent) => void, onLost: () => void) {
    this.#lab = lab;
    this.#onEvent = onEvent;
    const { notices } = lab;
    this.#workers = new Workers(
      (job, reason) => {
        notices.report(crashFailure(job, reason, this.run));
        this.#launch.abandon();
        this.prompt.forget();
        this.run.status = this.run.record === null ? 'idle' : 'interrupted';
        onLost();
      },
      (failure) => notices.report(failure),
      lab.workers,
    );
    this.#launch = new Launch(this.run, lab.device, this.#workers, notices, lab.opened, {
      makeRoom: () => this.prompt.forget(),
      begun: () => Promise.resolve(),
      take: (event) => this.#take(event),
    });
    this.prompt = new PromptState(async (text) => {
      if (this.run.record === null) return null;
      const result = await this.#workers.attempt(() => this.#workers.analyse.ask(text, null));
      if (result === null || (result.ok && result.value === null)) return null;
      return result.ok ? { ok: true, value: result.value! } : result;
    });
  }

  /** Prepares a run and lets it take its first steps; whether it has begun. */
  async start(config: RunConfig, description: RunDescription): Promise<boolean> {
    this.seconds = 0;
    await this.#launch.start(config);
    const { record } = this.run;
    if (record === null) return false;
    const written = await this.#workers.attempt(() => this.#workers.train.describe(record.id, description));
    if (written?.ok && this.run.record !== null) this.run.record = { ...this.run.record, ...written.value };
    return true;
  }

  /**
   * Steps a second of a config on this device, by a trial; null where it could not be measured, which a notice has said.
   * @param events mean length of the games
   */
  async measureSpeed(config: RunConfig, events: number): Promise<number | null> {
    const length = Math.round(rowLength(config, events));
    const tried = await this.#workers.attempt(() => this.#workers.train.speed(config, length, this.#lab.device.wanted));
    if (tried === null) return null;
    if (tried.ok) return tried.value / operationsAStep(config, events);
    this.#lab.notices.report(tried.error);
    return null;
  }

  pause(): void {
    void this.#workers.attempt(() => this.#workers.train.pause());
  }

  continue(): void {
    void this.#workers.attempt(() => this.#workers.train.continue());
  }

  /** Ends the run at a checkpoint, or gives up preparing it. */
  async stop(): Promise<void> {
    const { run } = this;
    if (run.record !== null) {
      const { id } = run.record;
      if (run.active) await this.#workers.attempt(() => this.#workers.train.stop(id));
      return;
    }
    this.#launch.abandon();
    run.status = 'idle';
    await this.#workers.attempt(() => this.#workers.analyse.cancel());
  }

  /** What is being prepared; null where nothing is. */
  get preparing() {
    return this.#launch.preparing;
  }

  #take(event: TrainEvent): void {
    this.run.take(event);
    if ((event.kind === 'notice' || event.kind === 'status') && event.failure !== null)
      this.#lab.notices.report(event.failure);
    // Weights come with evaluations, and at the end of each turn.
    if (event.kind === 'status' || event.kind === 'evaluation') void this.prompt.askNow();
    this.#onEvent(event);
  }
}
