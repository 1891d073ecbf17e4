import * as tf from '@tensorflow/tfjs-core';
import type { NamedArrays } from '../../src/models/parameters.ts';
import type { Side } from '../side.ts';
import { startValues, tokens } from '../start-values.ts';
import type { Workload } from '../workloads.ts';
import { fastestProduct, PEAK_SIZE } from './peak.ts';
import { stockGptLogits } from './stock-gpt.ts';
import { stockLstmLogits } from './stock-lstm.ts';

/** Logits [B * T, V] of a model, from its variables and one-hot tokens [B * T, V]. */
export type StockModel = (
  workload: Workload,
  variables: ReadonlyMap<string, tf.Variable>,
  oneHot: tf.Tensor2D,
) => tf.Tensor2D;

/**
 * TF.js as it comes: its own operations, its own gradients (tf.variableGrads), its own Adam (tf.train.adam, which has
 * no decay; that is one more assignment a variable). Written as its guides teach, with one concession to speed and to
 * the wasm backend, which has no gradient of tf.gather: embedding is a one-hot product.
 */
export class Stock implements Side {
  readonly threads = 1;
  readonly runAhead: number;
  device = '';
  private variables = new Map<string, tf.Variable>();
  private optimizer!: tf.AdamOptimizer;
  private workload!: Workload;
  private oneHot!: tf.Tensor2D;
  private targets!: tf.Tensor2D;

  /**
   * @param registerGradients brings in TF.js's own gradients, which its core leaves out; hosts find the file differently.
   * @param wasmPaths where the .wasm files are; Node finds them.
   */
  constructor(
    private readonly backend: 'wasm' | 'webgpu',
    private readonly registerGradients: () => Promise<unknown>,
    private readonly wasmPaths?: string,
  ) {
    this.runAhead = backend === 'webgpu' ? 2 : 0;
  }

  async prepare(workload: Workload): Promise<void> {
    tf.enableProdMode();
    await this.registerGradients();
    if (this.backend === 'wasm') {
      const wasm = await import('@tensorflow/tfjs-backend-wasm');
      if (this.wasmPaths !== undefined) wasm.setWasmPaths(this.wasmPaths);
      tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    } else {
      await import('@tensorflow/tfjs-backend-webgpu');
      // Its default sends small tensors to a CPU backend, which is not even loaded here.
      tf.env().set('WEBGPU_CPU_FORWARD', false);
    }
    if (!(await tf.setBackend(this.backend))) throw new Error(`TF.js could not start ${this.backend}`);
    this.device = await this.describe();
    const { rows, columns, model, optimizer } = workload;
    this.workload = workload;
    this.load(startValues(workload.parameters));
    const ids = tokens(rows, columns, model.vocabulary);
    this.oneHot = oneHot(ids, model.vocabulary);
    // The last token of a row has no target: tf.losses takes a weight of 0 for it.
    this.targets = oneHot(
      ids.map((_, i) => ((i + 1) % columns === 0 ? ids[i] : ids[i + 1])),
      model.vocabulary,
    );
    const { learningRate, beta1, beta2, epsilon } = optimizer;
    this.optimizer = tf.train.adam(learningRate, beta1, beta2, epsilon);
  }

  /** Mean cross-entropy of the batch, forward only. */
  loss(): tf.Scalar {
    const { workload } = this;
    const logits = (workload.model.kind === 'lstm' ? stockLstmLogits : stockGptLogits)(
      workload,
      this.variables,
      this.oneHot,
    );
    const { rows, columns } = workload;
    const counted = tf.tensor1d(
      Float32Array.from({ length: rows * columns }, (_, i) => ((i + 1) % columns === 0 ? 0 : 1)),
    );
    const losses = tf.losses.softmaxCrossEntropy(this.targets, logits, counted, 0, tf.Reduction.SUM);
    return tf.div(losses, rows * (columns - 1));
  }

  async step(): Promise<number> {
    const loss = tf.tidy(() => {
      const { value, grads } = tf.variableGrads(() => this.loss());
      const { learningRate, weightDecay } = this.workload.optimizer;
      for (const variable of this.variables.values()) variable.assign(tf.mul(variable, 1 - learningRate * weightDecay));
      this.optimizer.applyGradients(Object.entries(grads).map(([name, tensor]) => ({ name, tensor })));
      return value;
    });
    const [value] = await loss.data();
    loss.dispose();
    return value;
  }

  async measurePeak(): Promise<number> {
    const [a, b] = [0, 1].map(() => tf.randomUniform<tf.Rank.R2>([PEAK_SIZE, PEAK_SIZE]));
    const rate = await fastestProduct(async () => {
      const corner = tf.tidy(() => tf.slice(tf.matMul(a, b), [0, 0], [1, 1]));
      await corner.data();
      corner.dispose();
    });
    tf.dispose([a, b]);
    return rate;
  }

  async dispose(): Promise<void> {
    tf.dispose([...this.variables.values(), this.oneHot, this.targets]);
    this.optimizer.dispose();
  }

  private load(parameters: NamedArrays): void {
    for (const [name, { shape, data }] of parameters)
      this.variables.set(name, tf.variable(tf.tensor(data, shape), true, name));
  }

  private async describe(): Promise<string> {
    if (this.backend === 'wasm') return `wasm, SIMD ${await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT')}`;
    const { adapterInfo } = (tf.backend() as unknown as { device: GPUDevice }).device;
    return adapterInfo.description || adapterInfo.device || adapterInfo.vendor;
  }
}

function oneHot(ids: Int32Array, vocabulary: number): tf.Tensor2D {
  const values = new Float32Array(ids.length * vocabulary);
  ids.forEach((id, i) => (values[i * vocabulary + id] = 1));
  return tf.tensor2d(values, [ids.length, vocabulary]);
}
