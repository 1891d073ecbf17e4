import { seededRandom } from '../base/random.ts';
import type { Failure, Result } from '../base/result.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Batch, Engine } from '../engine/engine.ts';
import type { Curve } from './curve.ts';
import { learningRateAt } from './schedule.ts';
import { Throughput } from './throughput.ts';

export interface StepEvent {
  /** Steps taken, this one included. */
  step: number;
  loss: number;
  /** Targets of this step's batch. */
  tokens: number;
  tokensSeen: number;
  tokensPerSecond: number;
  secondsLeft: number | null;
  learningRate: number;
  gradientNorm: number;
}

export type TrainerState = 'idle' | 'running' | 'paused' | 'finished' | 'stopped' | 'failed';

export interface TrainingEnd {
  status: 'finished' | 'stopped' | 'failed';
  failure: Failure | null;
}

export interface TrainerOptions {
  engine: Pick<Engine, 'step'>;
  /** `batch` must be a pure function of the step, counted from 0. */
  batches: { batch(step: number): Batch };
  config: RunConfig;
  curve: Curve;
  startStep: number;
  tokensSeen: number;
  /** Milliseconds from any start. */
  clock: () => number;
  onStep(event: StepEvent): void;
  onEvaluate(step: number): void | Promise<void>;
  /** A failure here does not end the run; telling it to a person is the caller's. */
  saveCheckpoint(): Promise<Result<void>>;
  /** Lets the host answer its messages; awaited between steps. */
  yieldToHost(): Promise<void>;
}

/**
 * Training as a loop that can be paused, stepped, stopped and, from a checkpoint, taken up again. Batch, learning rate
 * and dropout are functions of the seed and the step alone, so a run taken up again equals one that never stopped, bit
 * for bit where the backend's arithmetic repeats (WASM and CPU do).
 */
export class Trainer {
  private current: TrainerState = 'idle';
  private taken: number;
  private seen: number;
  private savedAt: number;
  private wish: 'run' | 'pause' | 'step' | 'stop' = 'run';
  private wake: () => void = () => {};
  private onState: (state: TrainerState) => void = () => {};
  private readonly throughput = new Throughput();

  constructor(private readonly options: TrainerOptions) {
    this.taken = options.startStep;
    this.seen = options.tokensSeen;
    this.savedAt = options.startStep;
  }

  get state(): TrainerState {
    return this.current;
  }
  /** Steps taken. */
  get step(): number {
    return this.taken;
  }
  get tokensSeen(): number {
    return this.seen;
  }

  pause(): void {
    if (this.wish === 'run') this.wish = 'pause';
  }
  resume(): void {
    this.turn('run');
  }
  /** One step, then pause (again). */
  stepOnce(): void {
    this.turn('step');
  }
  /** Ends the run at a checkpoint. */
  stop(): void {
    this.turn('stop');
  }

  private turn(wish: 'run' | 'step' | 'stop'): void {
    if (this.wish !== 'stop') this.wish = wish;
    this.wake();
  }

  /** Trains to the end of the schedule or to `stop`. `onState` hears of every change of state. May be called once. */
  async run(onState: (state: TrainerState) => void = () => {}): Promise<TrainingEnd> {
    if (this.current !== 'idle') throw new Error('a Trainer runs once');
    this.onState = onState;
    const { config, onEvaluate, yieldToHost } = this.options;
    const { steps } = config.schedule;
    this.enter('running');
    if (this.taken === 0) await onEvaluate(0);
    while (this.taken < steps) {
      await yieldToHost();
      if (this.wish === 'stop') {
        await this.save();
        return this.end('stopped');
      }
      if (this.wish === 'pause') {
        await this.paused();
        continue;
      }
      const failure = await this.takeStep();
      if (failure) return this.end('failed', failure);
      if (this.wish === 'step') this.wish = 'pause';
      const last = this.taken === steps;
      if (last || this.taken % config.evaluation.every === 0) await onEvaluate(this.taken);
      if (last || this.taken % config.checkpointEvery === 0) await this.save();
    }
    return this.end('finished');
  }

  /** A checkpoint on the way in, unless the steps since the last were single ones asked for while paused. */
  private async paused(): Promise<void> {
    if (this.current === 'running') await this.save();
    // The wish may have changed while the checkpoint was written.
    if (this.wish !== 'pause') return;
    this.enter('paused');
    while (this.wish === 'pause') {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.wish === 'run') this.enter('running');
  }

  private async takeStep(): Promise<Failure | null> {
    const { engine, batches, config, curve, clock, onStep } = this.options;
    const learningRate = learningRateAt(config, this.taken);
    const optimizer = { ...config.optimizer, learningRate };
    const seed = seededRandom('dropout', config.seed, this.taken).below(Number.MAX_SAFE_INTEGER);
    const start = clock();
    const report = await engine.step(batches.batch(this.taken), optimizer, seed);
    this.throughput.add(report.tokens, clock() - start);
    if (!Number.isFinite(report.loss) || !Number.isFinite(report.gradientNorm)) return this.divergence(report.loss);
    this.taken++;
    this.seen += report.tokens;
    curve.addLoss(report.loss);
    onStep({
      step: this.taken,
      loss: report.loss,
      tokens: report.tokens,
      tokensSeen: this.seen,
      tokensPerSecond: this.throughput.tokensPerSecond,
      secondsLeft: this.throughput.secondsFor(config.schedule.steps - this.taken),
      learningRate,
      gradientNorm: report.gradientNorm,
    });
    return null;
  }

  /** The engine's parameters are spoilt by now, so nothing is saved: the last checkpoint is the last good one. */
  private divergence(loss: number): Failure {
    const what = Number.isFinite(loss) ? 'The gradient' : 'The loss';
    const kept =
      this.savedAt > 0 ? `The checkpoint of step ${this.savedAt} is kept.` : 'No checkpoint had been written yet.';
    return {
      code: 'diverged',
      message: `${what} was no longer a finite number at step ${this.taken + 1}: training diverged. ${kept} Try a lower learning rate, a longer warm-up or gradient clipping.`,
    };
  }

  private async save(): Promise<void> {
    if (this.savedAt === this.taken) return;
    const saved = await this.options.saveCheckpoint();
    if (saved.ok) this.savedAt = this.taken;
  }

  private enter(state: TrainerState): void {
    if (this.current === state) return;
    this.current = state;
    this.onState(state);
  }

  private end(status: TrainingEnd['status'], failure: Failure | null = null): TrainingEnd {
    this.enter(status);
    return { status, failure };
  }
}
