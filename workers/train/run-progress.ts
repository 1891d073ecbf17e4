import type { Engine } from '../../src/engine/engine.ts';
import type { StepEvent } from '../../src/training/loop.ts';
import type { TrainEvent } from './protocol.ts';
import { SpeedMeter } from './speed-meter.ts';

/** The page hears of progress at most this often. */
const PROGRESS_MS = 100;

/** What a run tells of its steps: losses in bundles, and how fast it goes. */
export class RunProgress {
  readonly speed: SpeedMeter;
  private pending: { firstStep: number; losses: number[]; last: StepEvent } | null = null;
  private reportedAt = 0;

  constructor(
    engine: Engine,
    private readonly steps: number,
    private readonly clock: () => number,
    private readonly onEvent: (event: TrainEvent) => void,
  ) {
    this.speed = new SpeedMeter(engine, clock);
  }

  took(event: StepEvent): void {
    this.speed.took(event.tokensPerSecond);
    this.pending ??= { firstStep: event.step, losses: [], last: event };
    this.pending.losses.push(event.loss);
    this.pending.last = event;
    if (this.clock() - this.reportedAt >= PROGRESS_MS) this.flush();
  }

  /** Tells the steps that were not told yet. */
  flush(): void {
    if (!this.pending) return;
    const { firstStep, losses, last } = this.pending;
    this.pending = null;
    this.reportedAt = this.clock();
    this.onEvent({
      kind: 'progress',
      step: last.step,
      steps: this.steps,
      firstStep,
      losses: Float32Array.from(losses),
      tokens: last.tokensSeen,
      tokensPerSecond: last.tokensPerSecond,
      secondsLeft: last.secondsLeft,
      learningRate: last.learningRate,
      gradientNorm: last.gradientNorm,
    });
  }

  /** Tells the speed where that is due. */
  async reportSpeed(): Promise<void> {
    const speed = await this.speed.due();
    if (speed) this.onEvent({ kind: 'speed', ...speed });
  }
}
