import type * as tf from '@tensorflow/tfjs-core';
import { parameterMismatch, type ModelConfig } from '../../../models/model.ts';
import type { NamedArrays } from '../../../models/parameters.ts';
import type {
  Batch,
  Continuation,
  DeviceReport,
  Engine,
  KernelTime,
  LeafLogits,
  OptimizerSettings,
  Precision,
  StepReport,
  CapabilityReport,
  TrainingAhead,
} from '../../engine.ts';
import { Inference } from '../../inference.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { packBatch } from '../../plan/pack.ts';
import type { Plan } from '../../plan/plan.ts';
import { webgpuInference } from './forward-pass.ts';
import { openGraphics, type Graphics } from './graphics.ts';
import { shapesFor, type Shapes } from './lower.ts';
import { measurePeak } from './peak.ts';
import { readOnce } from './read-back.ts';
import { SharedTensors } from './shared-tensors.ts';
import { halfCapability, precisionOf, capabilitiesOf, withCapabilities } from './capabilities.ts';
import { RUN_AHEAD, Training } from './training.ts';
import { SerialQueue } from './serial-queue.ts';

export interface WebgpuEngineOptions {
  model: ModelConfig;
  /** Initial or trained parameters; they are copied. */
  parameters: NamedArrays;
  /** What chooseDevice said; made up from the adapter where it was not asked. */
  device?: DeviceReport;
  /** Of training; 'full' where not said, and where the device is not admitted to the other. */
  precision?: Precision;
  /** Made ready for before the engine is given out; without it, at the first step. */
  training?: TrainingAhead;
  /** Pipelines of training compiled so far, of all; compiling takes longest at the start. */
  onProgress?: (done: number, total: number) => void;
  /** Kernels other than those that suit the adapter, for tests. */
  shapes?: Shapes;
  /** FLOPs of a slice of a step where it is not to be measured, for tests. */
  sliceFlops?: number;
}

/**
 * The compiled engine on WebGPU.
 * @throws where there is no WebGPU adapter, or the device cannot hold the weights or the batches of `training`
 */
export async function createWebgpuEngine(options: WebgpuEngineOptions): Promise<WebgpuEngine> {
  const graphics = await openGraphics();
  const plain = shapesFor(graphics, options.model);
  const own = options.shapes ? [] : await capabilitiesOf(graphics, plain);
  const shapes = options.shapes ?? withCapabilities(plain, own);
  const half = await halfCapability(graphics, options.model.kind, shapes, options.precision ?? 'full');
  const engine = new WebgpuEngine(graphics, { ...options, shapes }, [...own, half]);
  try {
    if (options.training) await engine.makeReady(options.training, options.onProgress);
  } catch (error) {
    engine.dispose();
    throw error;
  }
  return engine;
}

interface TrainingArenas {
  gradient: GPUBuffer;
  'first moment': GPUBuffer;
  'second moment': GPUBuffer;
}

export class WebgpuEngine implements Engine {
  readonly name = 'webgpu';
  readonly runAhead = RUN_AHEAD;
  readonly device: DeviceReport;
  readonly model: ModelConfig;
  private readonly plan: Plan;
  private readonly shapes: Shapes;
  private readonly mixed: boolean;
  private readonly sliceFlops: number | 'measured' | null;
  private readonly weights: GPUBuffer;
  private readonly inference: Inference;
  private readonly queue = new SerialQueue();
  private readonly tensors: SharedTensors;
  private arenas: TrainingArenas | null = null;
  private training: Training | null = null;
  private steps = 0;
  private gone = false;

  constructor(
    private readonly graphics: Graphics,
    { model, parameters, device, shapes, sliceFlops, precision = 'full' }: WebgpuEngineOptions & { shapes: Shapes },
    /** What the device was admitted to, and why; where kernels were named, 16 bits alone. */
    readonly capabilities: readonly CapabilityReport[],
  ) {
    const { adapter, memory } = graphics;
    this.model = model;
    const half = capabilities.find(({ capability }) => capability === 'f16');
    this.mixed = half?.admitted ?? false;
    const found = device ?? {
      backend: 'webgpu' as const,
      adapter: adapter.name,
      reason: 'WebGPU was asked for.',
      available: [{ backend: 'webgpu' as const, note: adapter.name }],
    };
    this.device = { ...found, capabilities };
    if (half && precision === 'mixed') this.device.precision = precisionOf(half);
    this.shapes = shapes;
    this.sliceFlops = sliceFlops ?? (adapter.emulated ? null : 'measured');
    this.plan = buildPlan(model, true);
    const mismatch = parameterMismatch(model, parameters);
    if (mismatch) throw new Error(`createWebgpuEngine: ${mismatch}`);
    this.weights = memory.storage('weights', 4 * this.plan.parameterLength);
    this.tensors = new SharedTensors(this.weights, this.plan);
    this.inference = new Inference(model, webgpuInference(graphics, model, this.weights, this.shapes));
    this.setParameters(parameters);
  }

  /** Compiles what training needs, all at once, and lays it out: no step is to make anything after this. */
  async makeReady({ muon, tokens }: TrainingAhead, onProgress?: (done: number, total: number) => void): Promise<void> {
    const training = this.prepare(muon);
    await training.compile(onProgress);
    await training.layOut(tokens);
  }

  async step(batch: Batch, optimizer: OptimizerSettings, seed: number): Promise<StepReport> {
    const packed = packBatch(batch, this.model);
    if (packed.targetCount === 0) throw new RangeError('step: the batch has no targets to learn from');
    const report = await this.queue.run(async () => {
      this.alive();
      const training = this.prepare(optimizer.muon !== null);
      await training.compile();
      const wait = await training.submit({ batch: packed, optimizer, step: this.steps + 1, seed });
      this.steps++;
      this.inference.forget();
      return wait;
    });
    return report();
  }

  logProbabilities(batch: Batch, muted: readonly number[]): Promise<Float32Array> {
    return this.inference.logProbabilities(batch, muted);
  }

  targetLogits(batch: Batch, see: (place: number, logits: Float32Array) => void): Promise<void> {
    return this.inference.targetLogits(batch, see);
  }

  leafLogits(prefixes: readonly (readonly number[])[], leaves: readonly (readonly number[])[]): Promise<LeafLogits[]> {
    return this.inference.leafLogits(prefixes, leaves);
  }

  continue(prefix: readonly number[]): Continuation {
    return this.inference.continue(prefix);
  }

  async parameters(): Promise<NamedArrays> {
    const [weights] = await this.read([this.weights]);
    return this.named(weights, '');
  }

  async optimizerState(): Promise<{ step: number; moments: NamedArrays }> {
    const arenas = this.startTraining();
    const { step, read } = await this.queue.run(() => ({
      step: this.steps,
      // In the turn, so that step and moments are of the same update; waited for outside of it.
      read: this.readNow([arenas['first moment'], arenas['second moment']]),
    }));
    const [first, second] = await read;
    return { step, moments: new Map([...this.named(first, 'm.'), ...this.named(second, 'v.')]) };
  }

  setParameters(parameters: NamedArrays): void {
    const mismatch = parameterMismatch(this.model, parameters);
    if (mismatch) throw new Error(`setParameters: ${mismatch}`);
    this.write(this.weights, (name) => parameters.get(name)!.data);
  }

  setOptimizerState({ step, moments }: { step: number; moments: NamedArrays }): void {
    for (const { name, length } of this.plan.parameters)
      for (const kind of ['m', 'v'])
        if (moments.get(`${kind}.${name}`)?.data.length !== length)
          throw new Error(`setOptimizerState: ${kind}.${name} is missing or of another size`);
    const arenas = this.startTraining();
    this.write(arenas['first moment'], (name) => moments.get(`m.${name}`)!.data);
    this.write(arenas['second moment'], (name) => moments.get(`v.${name}`)!.data);
    void this.queue.run(() => (this.steps = step));
  }

  async kernelTimes(): Promise<KernelTime[] | null> {
    if (!this.graphics.device.features.has('timestamp-query')) return null;
    return this.training?.kernelTimes() ?? [];
  }

  measurePeak(): Promise<number | null> {
    return measurePeak(this.graphics, this.shapes);
  }

  memory(): { tensors: number; bytes: number } {
    const { buffers, bytes } = this.graphics.memory;
    return { tensors: buffers, bytes };
  }

  /** All weights as one TF.js tensor [P] on the same memory: it shows every step as it is made. Dies with the engine. */
  weightsTensor(): Promise<tf.Tensor1D> {
    return this.tensors.all();
  }

  /** A parameter as a TF.js tensor, a copy of this moment that the caller disposes. */
  parameterTensor(name: string): Promise<tf.Tensor> {
    return this.tensors.parameter(name);
  }

  dispose(): void {
    if (this.gone) return;
    this.gone = true;
    this.tensors.dispose();
    this.inference.dispose();
    this.training?.release();
    const { memory } = this.graphics;
    memory.release(this.weights);
    if (this.arenas) for (const buffer of Object.values(this.arenas)) memory.release(buffer as GPUBuffer);
    this.training = this.arenas = null;
  }

  /** Training with or without Muon; what the other laid out is given back. */
  private prepare(muon: boolean): Training {
    if (this.training?.muon === muon) return this.training;
    this.training?.release();
    const { graphics, model, plan, shapes, mixed, weights, sliceFlops } = this;
    this.training = new Training({
      ...{ graphics, model, plan, shapes, muon, mixed, sliceFlops, timed: true },
      arenas: { weight: weights, ...this.startTraining() },
    });
    return this.training;
  }

  /** An engine that only answers never pays for the optimiser: three times the weights. */
  private startTraining(): TrainingArenas {
    const make = (label: string) => this.graphics.memory.storage(label, 4 * this.plan.parameterLength);
    return (this.arenas ??= {
      gradient: make('gradients'),
      'first moment': make('first moments'),
      'second moment': make('second moments'),
    });
  }

  private write(arena: GPUBuffer, data: (name: string) => Float32Array): void {
    const all = new Float32Array(this.plan.parameterLength);
    for (const { name, offset } of this.plan.parameters) all.set(data(name), offset);
    void this.queue.run(() => {
      if (this.gone) return;
      this.graphics.device.queue.writeBuffer(arena, 0, all);
      this.inference.forget();
    });
  }

  private async read(arenas: readonly GPUBuffer[]): Promise<Float32Array[]> {
    const { read } = await this.queue.run(() => ({ read: this.readNow(arenas) }));
    return read;
  }

  private async readNow(arenas: readonly GPUBuffer[]): Promise<Float32Array[]> {
    this.alive();
    const bytes = 4 * this.plan.parameterLength;
    const found = await readOnce(
      this.graphics,
      arenas.map((buffer) => ({ buffer, offset: 0, bytes })),
    );
    return found.map((one) => new Float32Array(one));
  }

  private named(all: Float32Array, prefix: string): NamedArrays {
    return new Map(
      this.plan.parameters.map(({ name, shape, offset, length }) => [
        prefix + name,
        { shape: [...shape], data: all.slice(offset, offset + length) },
      ]),
    );
  }

  private alive(): void {
    if (this.gone) throw new Error('this engine was disposed');
  }
}
