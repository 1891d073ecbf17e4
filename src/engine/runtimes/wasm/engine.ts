import { seededRandom } from '../../../base/random.ts';
import { muonMatrices, parameterMismatch, type ModelConfig } from '../../../models/model.ts';
import type { NamedArrays } from '../../../models/parameters.ts';
import type {
  Batch,
  Continuation,
  DeviceReport,
  Engine,
  KernelTime,
  LeafLogits,
  OptimizerSettings,
  StepReport,
  TrainingAhead,
} from '../../engine.ts';
import { Inference } from '../../inference.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { optimizerCalls } from '../../plan/optimizer-plan.ts';
import { packBatch } from '../../plan/pack.ts';
import type { Buffer, Plan } from '../../plan/plan.ts';
import type { WasmHost } from './host.ts';
import { wasmInference } from './forward-pass.ts';
import { Instance } from './instance.ts';
import { WasmRuntime } from './wasm-runtime.ts';
import { measureProduct } from './peak.ts';

export interface WasmEngineOptions {
  host: WasmHost;
  model: ModelConfig;
  /** Initial or trained parameters; they are copied. */
  parameters: NamedArrays;
  device: DeviceReport;
  /** Laid out for before the engine is given out; without it, at the first step. */
  training?: TrainingAhead;
}

/** The compiled engine on WebAssembly kernels. @throws where WebAssembly has no SIMD or no memory here. */
export async function createWasmEngine(options: WasmEngineOptions): Promise<Engine> {
  const engine = new WasmEngine(await WasmRuntime.create(options.host), options);
  try {
    if (options.training) engine.reserve(options.training);
  } catch (error) {
    engine.dispose();
    throw error;
  }
  return engine;
}

/** Room for half as much again, so that a slightly longer batch does not lay everything out anew. */
const GROWTH = 1.25;

interface Training {
  plan: Plan;
  instance: Instance;
  norm: Buffer;
  /** Whether the program updates matrices by Muon. */
  muon: boolean;
}

class WasmEngine implements Engine {
  readonly name = 'wasm';
  readonly runAhead = 0;
  readonly device: DeviceReport;
  readonly model: ModelConfig;
  private readonly host: WasmHost;
  private readonly plan: Plan;
  private readonly weights: number;
  private gradients: number | null = null;
  private moments: { first: number; second: number } | null = null;
  private training: Training | null = null;
  private readonly inference: Inference;
  private steps = 0;

  constructor(
    private readonly runtime: WasmRuntime,
    { host, model, parameters, device }: WasmEngineOptions,
  ) {
    this.host = host;
    this.model = model;
    this.device = device;
    this.plan = buildPlan(model, true);
    this.weights = runtime.allocate(4 * this.plan.parameterLength);
    this.inference = new Inference(model, wasmInference(runtime, model, this.weights));
    this.setParameters(parameters);
  }

  async step(batch: Batch, optimizer: OptimizerSettings, seed: number): Promise<StepReport> {
    const packed = packBatch(batch, this.model);
    if (packed.targetCount === 0) throw new RangeError('step: the batch has no targets to learn from');
    const { plan, instance, norm } = this.prepare(packed.count, optimizer.muon !== null);
    instance.run({ batch: packed, optimizer, step: ++this.steps, seed });
    this.inference.forget();
    const losses = instance.rows(plan.loss!, 0, packed.count);
    let sum = 0;
    for (const loss of losses) sum += loss;
    const gradientNorm = instance.rows(norm, 0, 1)[0];
    return { loss: sum / packed.targetCount, tokens: packed.targetCount, gradientNorm };
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
    return this.read(this.weights);
  }

  async optimizerState(): Promise<{ step: number; moments: NamedArrays }> {
    const { first, second } = this.startMoments();
    const moments: NamedArrays = new Map();
    for (const [name, array] of this.read(first)) moments.set(`m.${name}`, array);
    for (const [name, array] of this.read(second)) moments.set(`v.${name}`, array);
    return { step: this.steps, moments };
  }

  setParameters(parameters: NamedArrays): void {
    const mismatch = parameterMismatch(this.model, parameters);
    if (mismatch) throw new Error(`setParameters: ${mismatch}`);
    for (const { name, offset, length } of this.plan.parameters)
      this.runtime.floats(this.weights + 4 * offset, length).set(parameters.get(name)!.data);
    this.inference.forget();
  }

  setOptimizerState({ step, moments }: { step: number; moments: NamedArrays }): void {
    const { first, second } = this.startMoments();
    for (const { name, offset, length } of this.plan.parameters)
      for (const [kind, arena] of [['m', first] as const, ['v', second] as const]) {
        const found = moments.get(`${kind}.${name}`);
        if (!found || found.data.length !== length)
          throw new Error(`setOptimizerState: ${kind}.${name} is missing or of another size`);
        this.runtime.floats(arena + 4 * offset, length).set(found.data);
      }
    this.steps = step;
  }

  async kernelTimes(): Promise<KernelTime[] | null> {
    return this.runtime.kernelTimes();
  }

  async measurePeak(): Promise<number | null> {
    const peak = measureProduct(this.runtime, () => this.host.clock(), seededRandom('peak'));
    // What the measurement took is not the model's.
    this.runtime.kernelTimes();
    return peak;
  }

  memory(): { tensors: number; bytes: number } {
    return { tensors: this.runtime.heap.allocations, bytes: this.runtime.bytes };
  }

  dispose(): void {
    this.inference.dispose();
    this.training?.instance.release();
    this.training = null;
    this.runtime.dispose();
  }

  /** The training program for a batch of `count` tokens; made at the first step and when a larger batch comes. */
  private prepare(count: number, muon: boolean): Training {
    if (this.training && this.training.muon === muon && count <= this.training.instance.capacity) return this.training;
    const before = this.training?.instance.capacity ?? 0;
    return this.layOut({ tokens: count <= before ? before : Math.ceil(count * GROWTH), muon });
  }

  /** Takes all memory that steps and evaluations will need. @throws InputError where it is not there */
  reserve(training: TrainingAhead): void {
    this.inference.reserve();
    this.layOut(training);
  }

  /** Lays the training program out, once for all batches of so many tokens and fewer. */
  layOut({ tokens, muon }: TrainingAhead): Training {
    this.training?.instance.release();
    this.training = null;
    const { first, second } = this.startMoments();
    this.gradients ??= this.runtime.allocate(4 * this.plan.parameterLength);
    const { calls, norm } = optimizerCalls(this.plan, muon ? muonMatrices(this.model) : []);
    const instance = new Instance(this.runtime, {
      calls: [...this.plan.forward, ...this.plan.backward, ...calls],
      capacity: tokens,
      context: this.model.context,
      persistent: [this.plan.loss!, norm],
      arenas: {
        weight: this.weights,
        gradient: this.gradients,
        'first moment': first,
        'second moment': second,
      },
    });
    this.training = { plan: this.plan, instance, norm, muon };
    return this.training;
  }

  /** An engine that only answers never pays for the optimiser: three times the weights. */
  private startMoments(): { first: number; second: number } {
    if (!this.moments) {
      const length = this.plan.parameterLength;
      this.moments = { first: this.runtime.allocate(4 * length), second: this.runtime.allocate(4 * length) };
      for (const arena of [this.moments.first, this.moments.second]) this.runtime.floats(arena, length).fill(0);
    }
    return this.moments;
  }

  private read(arena: number): NamedArrays {
    return new Map(
      this.plan.parameters.map(({ name, shape, offset, length }) => [
        name,
        { shape: [...shape], data: this.runtime.floats(arena + 4 * offset, length).slice() },
      ]),
    );
  }
}
