import { muonMatrices, type ModelConfig } from '../../../models/model.ts';
import type { KernelTime, StepReport } from '../../engine.ts';
import type { CallContext } from '../../plan/kernel-device.ts';
import { optimizerCalls } from '../../plan/optimizer-plan.ts';
import type { Buffer, Plan } from '../../plan/plan.ts';
import { fuse } from '../../plan/fuse.ts';
import type { Graphics } from './graphics.ts';
import { Instance } from './instance.ts';
import type { Arena, Launch } from '../../gpu-kit/launch.ts';
import { lower, type Shapes } from './lower.ts';
import { inHalves, LOSS_SCALE } from './precision.ts';
import { ReadRing } from './read-back.ts';
import { tableRows } from '../../gpu-kit/run-data.ts';
import { Timing } from './timing.ts';

/** Steps that may be begun before the report of an earlier one has come. */
export const RUN_AHEAD = 2;
/** A batch larger than any before makes room for half as much again. */
const GROWTH = 1.5;
/** Longest that the device is kept busy in one piece, so that a page keeps thirty frames a second. */
const SLICE_MILLISECONDS = 25;
/** A device's rate until one was measured. */
const ASSUMED_FLOPS = 5e11;

export interface TrainingOptions {
  graphics: Graphics;
  model: ModelConfig;
  plan: Plan;
  shapes: Shapes;
  arenas: Record<Exclude<Arena, 'activation'>, GPUBuffer>;
  /** Whether matrices are updated by Muon. */
  muon: boolean;
  /** Whether activations are kept in halves (precision.ts). */
  mixed: boolean;
  /** Whether steps are sampled for the kernels' times. */
  timed: boolean;
  /** FLOPs of a slice, null for steps in one piece; 'measured' for what the device does in SLICE_MILLISECONDS. */
  sliceFlops: number | 'measured' | null;
}

/** Training steps of one model: the launches, and what is laid out for the largest batch so far. */
export class Training {
  readonly muon: boolean;
  readonly launches: readonly Launch[];
  private readonly norm: Buffer;
  private readonly ring: ReadRing;
  private readonly timing: Timing | null;
  private instance: Instance | null = null;
  private flopsPerSecond = ASSUMED_FLOPS;

  constructor(private readonly options: TrainingOptions) {
    const { graphics, model, plan, shapes, muon, mixed } = options;
    this.muon = muon;
    const { calls, norm } = optimizerCalls(plan, muon ? muonMatrices(model) : []);
    const fused = fuse([...plan.forward, ...plan.backward, ...calls], [norm, plan.loss!]);
    const lossScale = mixed ? LOSS_SCALE : null;
    this.launches = lower(mixed ? inHalves(fused) : fused, {
      shapes,
      context: model.context,
      loss: plan.loss,
      lossScale,
    });
    this.norm = norm;
    this.ring = new ReadRing(graphics, RUN_AHEAD + 1, 16);
    this.timing = options.timed ? Timing.of(graphics, this.launches) : null;
  }

  compile(onProgress?: (done: number, total: number) => void): Promise<void> {
    return this.options.graphics.pipelines.compile(this.launches, onProgress);
  }

  /**
   * Submits one step. The promise resolves when all of it is submitted, with a function that waits for its report.
   * @throws a RangeError where the device has no memory for a batch of this size
   */
  async submit(context: CallContext): Promise<() => Promise<StepReport>> {
    const { device } = this.options.graphics;
    const { targetCount, count } = context.batch;
    if (!this.instance || this.instance.capacity < count) await this.layOut(count);
    const instance = this.instance!;
    const taken = this.ring.take();
    const slot = taken instanceof Promise ? await taken : taken;
    const { size } = instance.upload(context);
    const timing = this.timing?.due() ? this.timing : null;
    const slices = this.slicesOf(count);
    for (const [i, [first, last]] of slices.entries()) {
      const encoder = device.createCommandEncoder();
      if (timing) timing.encode(encoder, instance, size, first, last);
      else {
        const pass = encoder.beginComputePass();
        instance.encode(pass, size, first, last);
        pass.end();
      }
      if (i === slices.length - 1) {
        const { buffer, offset } = instance.place(this.norm);
        encoder.copyBufferToBuffer(buffer, offset, slot, 0, 16);
        timing?.finish(encoder);
      }
      device.queue.submit([encoder.finish()]);
      if (i < slices.length - 1) await device.queue.onSubmittedWorkDone();
    }
    if (timing) void this.measured(timing, count);
    return async () => {
      const [gradientNorm, , loss, sound] = new Float32Array(await this.ring.read(slot));
      const report = { loss, tokens: targetCount, gradientNorm };
      return this.options.mixed ? { ...report, skipped: sound === 0 } : report;
    };
  }

  kernelTimes(): KernelTime[] | null {
    return this.timing?.read() ?? null;
  }

  release(): void {
    this.instance?.release();
    this.instance = null;
    this.ring.release();
    this.timing?.release();
  }

  /** For batches of `count` tokens and fewer. @throws as `submit` does */
  async layOut(count: number): Promise<void> {
    const { graphics, model, arenas } = this.options;
    const { device, memory, pipelines } = graphics;
    const before = this.instance?.capacity;
    this.instance?.release();
    this.instance = null;
    device.pushErrorScope('out-of-memory');
    this.instance = new Instance(device, memory, pipelines, {
      launches: this.launches,
      capacity: before === undefined ? count : Math.ceil(count * GROWTH),
      persistent: [this.norm],
      arenas,
      tables: tableRows(model),
      validWords: Math.ceil(model.vocabulary / 32),
    });
    const error = await device.popErrorScope();
    if (!error) return;
    this.instance.release();
    this.instance = null;
    throw new RangeError(
      `The graphics device has no memory left for a batch of ${count} tokens: take smaller batches or a smaller model.`,
    );
  }

  private async measured(timing: Timing, count: number): Promise<void> {
    await timing.collect();
    if (timing.lastStep) this.flopsPerSecond = (1000 * this.flopsOf(count)) / timing.lastStep;
  }

  private flopsOf(count: number): number {
    return this.launches.reduce((sum, launch) => sum + launch.flops(count), 0);
  }

  /** Ranges of launches that the device is expected to do in one slice's time each. */
  private slicesOf(count: number): [number, number][] {
    const whole: [number, number][] = [[0, this.launches.length]];
    const { sliceFlops } = this.options;
    const most = sliceFlops === 'measured' ? (this.flopsPerSecond * SLICE_MILLISECONDS) / 1000 : sliceFlops;
    if (most === null || this.flopsOf(count) <= most) return whole;
    const slices: [number, number][] = [];
    let flops = 0;
    let first = 0;
    this.launches.forEach((launch, i) => {
      const more = launch.flops(count);
      if (i > first && flops + more > most) {
        slices.push([first, i]);
        [first, flops] = [i, 0];
      }
      flops += more;
    });
    slices.push([first, this.launches.length]);
    return slices;
  }
}
