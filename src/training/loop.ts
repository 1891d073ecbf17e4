import { seededRandom } from '../base/random.ts';
import type { Failure, Result } from '../base/result.ts';
import { learnsPieces, pieceShareAt } from '../config/objectives.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Batch, Engine, StepReport } from '../engine/engine.ts';
import type { Curve } from './curve.ts';
import { optimizerAt } from './schedule.ts';
import { Throughput } from './throughput.ts';
import { whyEnded, isValidation, validates, verdictOf, type Verdict } from './validation.ts';

export interface StepEvent {
  /** Steps taken, this one included. */
  step: number;
  loss: number;
  /** Tokens of this step's batch but each row's first: what it could learn from, and reads where it does not. */
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
  /** Why it ended before its last step or with other weights than its last, in words; null where it did neither. */
  why: string | null;
}

export interface TrainerOptions {
  engine: Pick<Engine, 'step' | 'runAhead'>;
  /** `batch` must be a pure function of the step, counted from 0; a schedule that knows epochs needs their length. */
  batches: { batch(step: number): Batch; stepsPerEpoch?: number };
  /** Settled (config/settled.ts). */
  config: RunConfig;
  curve: Curve;
  startStep: number;
  tokensSeen: number;
  /** As the checkpoint that the run goes on from says. */
  kept?: number | null;
  /** Milliseconds from any start. */
  clock: () => number;
  onStep(event: StepEvent): void;
  /** `awaited`: the run hangs on these scores, so that they must be in the curve when this resolves. */
  onEvaluate(step: number, awaited: boolean): void | Promise<void>;
  /**
   * Must leave the checkpoint of the trainer's `best` step where it is. A failure here does not end the run; telling it
   * to a person is the caller's.
   */
  saveCheckpoint(): Promise<Result<void>>;
  /** Puts the weights and moments of a step's checkpoint into the engine; called at the end of a run that keeps its best. */
  restore?(step: number): Promise<Result<void>>;
  /** Lets the host answer its messages; awaited between steps. */
  yieldToHost(): Promise<void>;
  /** Each time that it comes to rest, on a pause and after a single step: nothing is under way until this resolves. */
  onRest?(): Promise<void>;
}

/** Steps in a row that mixed precision may skip before a run ends; each costs a batch and changes nothing. */
const MOST_SKIPS = 5;

/**
 * A new run writes its first checkpoint after the first step that ends so many milliseconds after its start, however far
 * the next is: whoever closes the tab early finds a run to go on with.
 */
const FIRST_CHECKPOINT_MS = 2000;

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
  /** When a new run's early checkpoint is due; never again once it was tried. */
  private earlyAt = Infinity;
  private keptStep: number | null;
  /** Steps begun whose reports have not come, oldest first. */
  private readonly underWay: { report: Promise<StepReport>; tokens: number; start: number; learningRate: number }[] =
    [];
  private endedAt = -Infinity;
  /** Steps in a row that mixed precision skipped. */
  private skips = 0;
  private request: 'run' | 'pause' | 'step' | 'stop' = 'run';
  private wake: () => void = () => {};
  private onState: (state: TrainerState) => void = () => {};
  private readonly throughput = new Throughput();

  constructor(private readonly options: TrainerOptions) {
    this.taken = options.startStep;
    this.seen = options.tokensSeen;
    this.savedAt = options.startStep;
    this.keptStep = options.kept ?? null;
    if (validates(options.config.schedule) && options.batches.stepsPerEpoch === undefined)
      throw new Error('a schedule that knows epochs needs their length');
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
  /** Step whose checkpoint must be kept, since the run may end with it; null where none must. */
  get best(): number | null {
    return this.options.config.schedule.keep === 'best' ? this.verdict().best : null;
  }
  /** Step whose weights the engine has after the run has put its best in place; null before, and where it has not. */
  get kept(): number | null {
    return this.keptStep;
  }

  pause(): void {
    if (this.request === 'run') this.request = 'pause';
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

  private turn(request: 'run' | 'step' | 'stop'): void {
    if (this.request !== 'stop') this.request = request;
    this.wake();
  }

  /**
   * Trains to the end of the schedule, of its patience, or to `stop`. `onState` hears of every change of state. May be called once.
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
    const { engine, config, clock, onEvaluate, yieldToHost } = this.options;
    const { steps } = config.schedule;
    this.enter('running');
    if (this.taken === 0) {
      this.earlyAt = clock() + FIRST_CHECKPOINT_MS;
      await onEvaluate(0, false);
    }
    while (this.taken < steps && !this.verdict().stop) {
      await yieldToHost();
      const going = this.request === 'run' || this.request === 'step';
      if (going) this.beginStep();
      const last = this.begun === steps;
      const validating = going && isValidation(config.schedule, this.stepsPerEpoch, this.begun);
      const evaluating = going && (last || validating || this.begun % config.evaluation.every === 0);
      const saving = going && (last || validating || this.begun % config.checkpointEvery === 0);
      let failure = await this.finishSteps(!going || evaluating || saving ? 0 : engine.runAhead);
      const early = going && clock() >= this.earlyAt;
      if (early) failure ??= await this.finishSteps(0);
      if (failure) return this.end('failed', failure);
      if (!going) {
        if (this.request === 'stop') {
          await this.save();
          return this.end('stopped');
        }
        await this.paused();
        continue;
      }
      if (this.request === 'step') this.request = 'pause';
      if (evaluating) await onEvaluate(this.taken, validating);
      if (saving || early) await this.save();
    }
    await this.keepBest();
    return this.end('finished');
  }

  /** The best epoch's weights into the last ones' place, and into the last checkpoint. */
  private async keepBest(): Promise<void> {
    const { best } = this;
    if (best === null || best === this.taken || best === this.keptStep) return;
    const restored = await this.options.restore?.(best);
    if (!restored?.ok) return;
    this.keptStep = best;
    await this.options.saveCheckpoint();
  }

  private get stepsPerEpoch(): number {
    return this.options.batches.stepsPerEpoch ?? Infinity;
  }

  private verdict(): Verdict {
    const { curve, config } = this.options;
    return verdictOf(curve.evaluations, config.schedule, this.stepsPerEpoch);
  }

  /** A checkpoint on the way in, unless the steps since the last were single ones asked for while paused. */
  private async paused(): Promise<void> {
    if (this.current === 'running') await this.save();
    // The request may have changed while the checkpoint was written.
    if (this.request !== 'pause') return;
    this.enter('paused');
    await this.options.onRest?.();
    while (this.request === 'pause') {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.request === 'run') this.enter('running');
  }

  private beginStep(): void {
    const { engine, batches, config, clock } = this.options;
    const step = this.begun;
    const optimizer = optimizerAt(config, step);
    const seed = seededRandom('dropout', config.seed, step).below(Number.MAX_SAFE_INTEGER);
    const start = clock();
    let batch = batches.batch(step);
    if (batch.validWeight !== undefined && learnsPieces(config))
      batch = { ...batch, validWeight: batch.validWeight * pieceShareAt(config.schedule, step) };
    const tokens = batch.tokens.length - (batch.offsets.length - 1);
    const report = engine.step(batch, optimizer, seed);
    // Told when its turn comes; until then a rejection is no unhandled one.
    report.catch(() => {});
    this.underWay.push({ report, tokens, start, learningRate: optimizer.learningRate });
  }

  /** Awaits reports, oldest first, until no more than `left` steps are under way. */
  private async finishSteps(left: number): Promise<Failure | null> {
    const { config, curve, clock, onStep } = this.options;
    while (this.underWay.length > left) {
      const { tokens, start, learningRate, report: coming } = this.underWay[0];
      const report = await coming;
      this.underWay.shift();
      // A step that was begun while the one before it ran took the time since that one's end.
      const now = clock();
      this.throughput.add(tokens, now - Math.max(start, this.endedAt));
      this.endedAt = now;
      const skipped = report.skipped ?? false;
      this.skips = skipped ? this.skips + 1 : 0;
      // A step that changed nothing is passed over; one whose loss is lost, too, would be followed by others like it.
      const passed = skipped && this.skips <= MOST_SKIPS;
      if (!Number.isFinite(report.loss) || (!Number.isFinite(report.gradientNorm) && !passed))
        return this.divergence(report.loss, skipped);
      this.taken++;
      this.seen += tokens;
      curve.addLoss(report.loss);
      onStep({
        step: this.taken,
        loss: report.loss,
        tokens,
        tokensSeen: this.seen,
        tokensPerSecond: this.throughput.tokensPerSecond,
        secondsLeft: this.throughput.secondsFor(config.schedule.steps - this.taken),
        learningRate,
        gradientNorm: report.gradientNorm,
      });
    }
    return null;
  }

  /** The engine's parameters may be spoilt by now, so nothing is saved: the last checkpoint is the last good one. */
  private divergence(loss: number, skipped: boolean): Failure {
    const what = Number.isFinite(loss) ? 'The gradient' : 'The loss';
    const other = skipped ? ', or full precision: mixed precision keeps no numbers above 65,504' : '';
    const retained =
      this.savedAt > 0 ? `The checkpoint of step ${this.savedAt} is kept.` : 'No checkpoint had been written yet.';
    return {
      code: 'diverged',
      message: `${what} was no longer a finite number at step ${this.taken + 1}: training diverged. ${retained} Try a lower learning rate, a longer warm-up or gradient clipping${other}.`,
    };
  }

  private async save(): Promise<void> {
    if (this.savedAt === this.taken) return;
    this.earlyAt = Infinity;
    const saved = await this.options.saveCheckpoint();
    if (saved.ok) this.savedAt = this.taken;
  }

  private enter(state: TrainerState): void {
    if (this.current === state) return;
    this.current = state;
    this.onState(state);
  }

  private end(status: TrainingEnd['status'], failure: Failure | null = null): TrainingEnd {
    const { curve, config } = this.options;
    const why =
      status === 'finished'
        ? whyEnded(curve.evaluations, config.schedule, this.stepsPerEpoch, this.taken, this.keptStep)
        : null;
    this.enter(status);
    return { status, failure, why };
  }
}
