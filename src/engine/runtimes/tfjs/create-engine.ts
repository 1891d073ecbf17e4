import * as tf from '@tensorflow/tfjs-core';
import { muonMatrices, parameterMismatch, parameterShapes, type ModelConfig } from '../../../models/model.ts';
import type { MatrixBlock, NamedArrays } from '../../../models/parameters.ts';
import type {
  BackendName,
  Batch,
  Continuation,
  DeviceReport,
  Engine,
  LeafLogits,
  OptimizerSettings,
  StepReport,
} from '../../engine.ts';
import { AdamW, clipping, type Moments } from './operations/adamw.ts';
import { loadBackend, useBackend, type WasmPaths } from './backend.ts';
import { TfjsContinuation } from './continuation.ts';
import { crossEntropy, logLikelihoods } from './operations/cross-entropy.ts';
import { Dropout } from './operations/dropout.ts';
import { wholeRows } from './networks/inputs.ts';
import { leafLogits } from './leaf-logits.ts';
import { muonUpdate } from './operations/muon.ts';
import { networkOf } from './networks/network-of.ts';
import type { Network } from './networks/network.ts';
import { setRows, targetRows } from './operations/one-hot.ts';
import { padded } from './padded-batch.ts';

/** What the logit of a muted token counts as (the testbed's `generate` bans tokens so). */
const MUTED = -1e10;

/** Most padded tokens of a batch scored in one pass of `logProbabilities`. */
const TOKENS_A_PASS = 4096;

export interface EngineOptions {
  backend: BackendName;
  model: ModelConfig;
  /** Initial or trained parameters; they are copied. */
  parameters: NamedArrays;
  /** Where the browser finds the .wasm files; Node needs none. */
  wasmPaths?: WasmPaths;
  /** What chooseDevice said; made up from the backend's name where it was not asked. */
  device?: DeviceReport;
}

/** The reference engine on a TF.js backend, which is loaded on demand. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  await loadBackend(options.backend, options);
  return new TfjsEngine(options);
}

class TfjsEngine implements Engine {
  readonly name = 'tfjs';
  readonly runAhead = 0;
  readonly device: DeviceReport;
  readonly model: ModelConfig;
  private readonly network: Network;
  private readonly matrices = new Map<string, MatrixBlock[]>();
  private readonly backend: BackendName;
  private readonly shapes: ReadonlyMap<string, number[]>;
  /** Names of the parameters that are drawn and not learned. */
  private readonly fixed: ReadonlySet<string>;
  private weights = new Map<string, tf.Tensor>();
  private moments = new Map<string, Moments>();
  private steps = 0;

  constructor({ backend, model, parameters, device }: EngineOptions) {
    this.backend = backend;
    this.model = model;
    this.network = networkOf(model);
    const shapes = parameterShapes(model);
    this.shapes = new Map(shapes.map(({ name, shape }) => [name, shape]));
    this.fixed = new Set(shapes.filter(({ fixed }) => fixed).map(({ name }) => name));
    for (const block of muonMatrices(model))
      this.matrices.set(block.name, [...(this.matrices.get(block.name) ?? []), block]);
    this.device = device ?? {
      backend,
      adapter: backend,
      reason: `The ${backend} backend was asked for.`,
      available: [{ backend, note: 'in use' }],
    };
    this.setParameters(parameters);
  }

  /** An engine that only answers never pays for the optimiser: twice the weights. */
  private startMoments(): void {
    if (this.moments.size > 0) return;
    for (const { name, shape } of parameterShapes(this.model))
      this.moments.set(name, { m: tf.zeros(shape), v: tf.zeros(shape) });
  }

  async step(batch: Batch, optimizer: OptimizerSettings, seed: number): Promise<StepReport> {
    const { ids, lengths, targets, count } = padded(batch, this.model.context);
    if (count === 0) throw new RangeError('step: the batch has no targets to learn from');
    const weights = this.use();
    this.startMoments();
    for (const [name, values] of this.network.redrawn?.(this.steps, seed) ?? []) this.put(name, values);
    const learned = [...weights].filter(([name]) => !this.fixed.has(name));
    const names = learned.map(([name]) => name);
    const report = tf.tidy(() => {
      const inputs = wholeRows(this.model, ids, lengths);
      const wanted = targetRows(batch, targets, this.model.vocabulary);
      const weight = batch.valid ? (batch.validWeight ?? 0) : 0;
      const sets = weight > 0 ? setRows(batch, targets, this.model.vocabulary) : wanted;
      const rate = 'dropout' in this.model ? this.model.dropout : 0;
      const loss = (...values: tf.Tensor[]) => {
        const p = new Map(weights);
        names.forEach((name, i) => p.set(name, values[i]));
        return crossEntropy(
          this.network.trainingLogits(p, inputs, new Dropout(rate, seed)),
          wanted,
          count,
          sets,
          weight,
        );
      };
      const { value, grads } = tf.valueAndGrads(loss)(learned.map(([, weight]) => weight));
      const { norm, factor } = clipping(grads, optimizer.clipNorm);
      const update = new AdamW(optimizer, ++this.steps, factor);
      names.forEach((name, i) => {
        const [weight, moments] = [weights.get(name)!, this.moments.get(name)!];
        const matrices = this.matrices.get(name);
        const next =
          optimizer.muon && matrices
            ? muonUpdate(weight, grads[i], moments, factor, optimizer.muon, matrices)
            : update.update(weight, grads[i], moments);
        this.replace(name, next);
        grads[i].dispose();
      });
      return tf.stack([value, norm]);
    });
    const [loss, gradientNorm] = await report.data();
    report.dispose();
    return { loss, tokens: count, gradientNorm };
  }

  async logProbabilities(batch: Batch, muted: readonly number[]): Promise<Float32Array> {
    const result = new Float32Array(batch.tokens.length);
    const likelihoods = (logits: tf.Tensor2D, targets: Int32Array) =>
      logLikelihoods(
        mute(logits, muted),
        targetRows({ ...batch, learn: null, valid: null }, targets, this.model.vocabulary),
      );
    for await (const { found, targets } of this.passes(batch, likelihoods))
      found.forEach((value, place) => {
        if (targets[place] >= 0) result[targets[place] - 1] = value;
      });
    return result;
  }

  async targetLogits(batch: Batch, see: (place: number, logits: Float32Array) => void): Promise<void> {
    const size = this.model.vocabulary;
    for await (const { found, targets } of this.passes(batch, (logits) => logits))
      targets.forEach((target, place) => {
        if (target >= 0) see(target - 1, found.subarray(place * size, (place + 1) * size));
      });
  }

  /** What `of` makes of the logits of some rows at a time, and the places of their targets in the batch. */
  private async *passes(
    batch: Batch,
    of: (logits: tf.Tensor2D, targets: Int32Array) => tf.Tensor,
  ): AsyncGenerator<{ found: Float32Array; targets: Int32Array }> {
    const whole = { ...batch, learn: null, valid: null };
    const { ids, rows, columns, lengths, targets } = padded(whole, this.model.context);
    const rowsAPass = Math.max(1, Math.floor(TOKENS_A_PASS / columns));
    for (let start = 0; start < rows; start += rowsAPass) {
      const end = Math.min(rows, start + rowsAPass);
      const part = (all: Int32Array) => all.subarray(start * columns, end * columns);
      const asked = part(targets);
      const weights = this.use();
      const made = tf.tidy(() =>
        of(this.network.logits(weights, wholeRows(this.model, part(ids), lengths.subarray(start, end))), asked),
      );
      const found = (await made.data()) as Float32Array;
      made.dispose();
      yield { found, targets: asked };
    }
  }

  async leafLogits(
    prefixes: readonly (readonly number[])[],
    leaves: readonly (readonly number[])[],
  ): Promise<LeafLogits[]> {
    return leafLogits(this.model, this.network, this.use(), prefixes, leaves);
  }

  continue(prefix: readonly number[]): Continuation {
    return new TfjsContinuation(this.model, this.network, () => this.use(), prefix);
  }

  async parameters(): Promise<NamedArrays> {
    return readAll(this.use());
  }

  async optimizerState(): Promise<{ step: number; moments: NamedArrays }> {
    this.use();
    this.startMoments();
    const step = this.steps;
    const tensors = new Map<string, tf.Tensor>();
    for (const [name, { m, v }] of this.moments) tensors.set(`m.${name}`, m).set(`v.${name}`, v);
    return { step, moments: await readAll(tensors) };
  }

  setParameters(parameters: NamedArrays): void {
    const mismatch = parameterMismatch(this.model, parameters);
    if (mismatch) throw new Error(`setParameters: ${mismatch}`);
    this.use();
    for (const { name } of parameterShapes(this.model)) this.put(name, parameters.get(name)!.data);
  }

  setOptimizerState({ step, moments }: { step: number; moments: NamedArrays }): void {
    this.use();
    for (const { name, shape } of parameterShapes(this.model)) {
      const [m, v] = ['m', 'v'].map((kind) => {
        const found = moments.get(`${kind}.${name}`);
        if (!found || found.data.length !== tf.util.sizeFromShape(shape))
          throw new Error(`setOptimizerState: ${kind}.${name} is missing or of another size`);
        return onDevice(found.data, shape);
      });
      tf.dispose({ ...this.moments.get(name) });
      this.moments.set(name, { m, v });
    }
    this.steps = step;
  }

  async kernelTimes(): Promise<null> {
    return null;
  }

  async measurePeak(): Promise<null> {
    return null;
  }

  memory(): { tensors: number; bytes: number } {
    const { numTensors, numBytes } = tf.memory();
    return { tensors: numTensors, bytes: numBytes };
  }

  dispose(): void {
    this.use();
    for (const tensor of this.weights.values()) tensor.dispose();
    for (const { m, v } of this.moments.values()) tf.dispose([m, v]);
    this.weights.clear();
    this.moments.clear();
  }

  private put(name: string, values: Float32Array): void {
    this.weights.get(name)?.dispose();
    this.weights.set(name, onDevice(values, this.shapes.get(name)!));
  }

  private use(): ReadonlyMap<string, tf.Tensor> {
    useBackend(this.backend);
    return this.weights;
  }

  private replace(name: string, { parameter, m, v }: { parameter: tf.Tensor } & Moments): void {
    const old = this.moments.get(name)!;
    tf.dispose([this.weights.get(name)!, old.m, old.v]);
    this.weights.set(name, tf.keep(parameter));
    this.moments.set(name, { m: tf.keep(m), v: tf.keep(v) });
  }
}

/** Logits [N, V] with those of the muted tokens set to -1e10. */
function mute(logits: tf.Tensor2D, muted: readonly number[]): tf.Tensor2D {
  if (muted.length === 0) return logits;
  const kept = new Float32Array(logits.shape[1]).fill(1);
  for (const token of muted) kept[token] = 0;
  return tf.add(
    tf.mul(logits, kept),
    kept.map((keep) => (keep ? 0 : MUTED)),
  );
}

/** A copy on the device: tf.tensor would keep the caller's array as its own on the CPU backend. */
function onDevice(data: Float32Array, shape: number[]): tf.Tensor {
  return tf.tensor(data.slice(), shape, 'float32');
}

/** Every read is begun before any is awaited, so that all are of the same step. */
async function readAll(tensors: ReadonlyMap<string, tf.Tensor>): Promise<NamedArrays> {
  const entries = [...tensors].map(async ([name, tensor]) => {
    const data = (await tensor.data()) as Float32Array;
    return [name, { shape: tensor.shape.slice(), data: data.slice() }] as const;
  });
  return new Map(await Promise.all(entries));
}
