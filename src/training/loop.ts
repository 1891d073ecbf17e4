import { seededRandom } from '../base/random.ts';
import type { Failure, Result } from '../base/result.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Batch, Engine, StepReport } from '../engine/engine.ts';
import type { Curve } from './curve.ts';
import { optimizerAt } from './schedule.ts';
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
  engine: Pick<Engine, 'step' | 'runAhead'>;
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
  /** Steps begun whose reports have not come, oldest first. */
  private readonly underWay: { report: Promise<StepReport>; start: number; learningRate: number }[] = [];
  private endedAt = -Infinity;
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
  /** Steps taken and reported. */
  get step(): number {
    return this.taken;
  }
  /** Steps begun, those under way included: the engine's weights are of this step. */
  get begun(): number {
    return this.taken + this.underWay.length;
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

  /**
   * Trains to the end of the schedule or to `stop`. `onState` hears of every change of state. May be called once.
   * Where the engine runs ahead, steps are begun before the reports of earlier ones have come; none is under way during
   * an evaluation, a checkpoint or a pause, nor when this resolves or rejects.
   */
  async run(onState: (state: TrainerState) => void = () => {}): Promise<TrainingEnd> {
    if (this.current !== 'idle') throw new Error('a Trainer runs once');
    this.onState = onState;
    try {
      return await this.train();
    } finally {
      await Promise.allSettled(this.underWay.map(({ report }) => report));
    }
  }

  private async train(): Promise<TrainingEnd> {
    const { engine, config, onEvaluate, yieldToHost } = this.options;
    const { steps } = config.schedule;
    this.enter('running');
    if (this.taken === 0) await onEvaluate(0);
    while (this.taken < steps) {
      await yieldToHost();
      const going = this.wish === 'run' || this.wish === 'step';
      if (going) this.beginStep();
      const last = this.begun === steps;
      const evaluating = going && (last || this.begun % config.evaluation.every === 0);
      const saving = going && (last || this.begun % config.checkpointEvery === 0);
      const failure = await this.finishSteps(!going || evaluating || saving ? 0 : engine.runAhead);
      if (failure) return this.end('failed', failure);
      if (!going) {
        if (this.wish === 'stop') {
          await this.save();
          return this.end('stopped');
        }
        await this.paused();
        continue;
      }
      if (this.wish === 'step') this.wish = 'pause';
      if (evaluating) await onEvaluate(this.taken);
      if (saving) await this.save();
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

  private beginStep(): void {
    const { engine, batches, config, clock } = this.options;
    const step = this.begun;
    const optimizer = optimizerAt(config, step);
    const seed = seededRandom('dropout', config.seed, step).below(Number.MAX_SAFE_INTEGER);
    const start = clock();
    const report = engine.step(batches.batch(step), optimizer, seed);
    // Told when its turn comes; until then a rejection is no unhandled one.
    report.catch(() => {});
    this.underWay.push({ report, start, learningRate: optimizer.learningRate });
  }

  /** Awaits reports, oldest first, until no more than `left` steps are under way. */
  private async finishSteps(left: number): Promise<Failure | null> {
    const { config, curve, clock, onStep } = this.options;
    while (this.underWay.length > left) {
      const { start, learningRate, report: coming } = this.underWay[0];
      const report = await coming;
      this.underWay.shift();
      // A step that was begun while the one before it ran took the time since that one's end.
      const now = clock();
      this.throughput.add(report.tokens, now - Math.max(start, this.endedAt));
      this.endedAt = now;
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
    }
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
