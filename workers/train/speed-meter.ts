import { rowsOf, type Batch } from '../../src/base/batch.ts';
import type { Engine, KernelTime } from '../../src/engine/engine.ts';
import { trainingFlopsPerToken } from '../../src/models/model.ts';

/** The page hears of it at most this often (milliseconds). */
const EVERY = 1000;

export interface Speed {
  /** Floating-point operations of the model a second, over the last steps. */
  modelFlops: number;
  kernels: KernelTime[] | null;
}

/** How much of the model's arithmetic a run gets done in a second, and what the time went into. */
export class SpeedMeter {
  private tokens = 0;
  private flops = 0;
  private tokensPerSecond = 0;
  private reportedAt: number;

  constructor(
    private readonly engine: Pick<Engine, 'model' | 'kernelTimes'>,
    private readonly clock: () => number,
  ) {
    this.reportedAt = clock();
  }

  /** Counts a batch on its way to the engine. */
  see(batch: Batch): Batch {
    for (const { length } of rowsOf(batch)) {
      const inputs = length - 1;
      this.tokens += inputs;
      this.flops += inputs * trainingFlopsPerToken(this.engine.model, inputs);
    }
    return batch;
  }

  took(tokensPerSecond: number): void {
    this.tokensPerSecond = tokensPerSecond;
  }

  /** The speed, where a second has passed and steps were taken since it was last told; null otherwise. */
  async due(): Promise<Speed | null> {
    if (this.clock() - this.reportedAt < EVERY || this.tokensPerSecond === 0 || this.tokens === 0) return null;
    this.reportedAt = this.clock();
    const modelFlops = (this.tokensPerSecond * this.flops) / this.tokens;
    this.tokens = this.flops = 0;
    return { modelFlops, kernels: await this.engine.kernelTimes() };
  }
}
