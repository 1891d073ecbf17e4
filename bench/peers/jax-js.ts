import {
  blockUntilReady,
  defaultDevice,
  getWebGPUDevice,
  init,
  jit,
  nn,
  numpy as np,
  tree,
  valueAndGrad,
} from '@jax-js/jax';
import type { Side } from '../side.ts';
import { startValues, tokens } from '../start-values.ts';
import type { Workload } from '../workloads.ts';
import { jaxGptLogits } from './jax-gpt.ts';
import { jaxLstmLogits } from './jax-lstm.ts';
import { fastestProduct, PEAK_SIZE } from './peak.ts';

/** Arrays by the names of the model's parameters. */
export type Arrays = Record<string, np.Array>;
/** Logits [B, T, V] from parameters and one-hot tokens [B, T, V]; takes neither's ownership (asks for .ref). */
export type JaxModel = (workload: Workload, parameters: Arrays, oneHot: np.Array) => np.Array;

type State = { step: np.Array; p: Arrays; m: Arrays; v: Arrays };

/**
 * jax-js: the whole step (valueAndGrad and AdamW) as one jitted function of (parameters, moments, step count), which is
 * how JAX is meant to be used. Every function there owns what it is given; `.ref` keeps an array for another use.
 */
export class JaxJs implements Side {
  readonly threads: number;
  readonly runAhead = 0;
  device = '';
  private state!: State;
  private oneHot!: np.Array;
  private targets!: np.Array;
  private update!: (state: State, oneHot: np.Array, targets: np.Array) => [np.Array, State];

  /** Its wasm backend takes every core where workers and shared memory are to be had, and one thread elsewhere. */
  constructor(private readonly backend: 'wasm' | 'webgpu') {
    const threaded = typeof Worker !== 'undefined' && typeof SharedArrayBuffer !== 'undefined';
    this.threads = backend === 'wasm' && threaded ? navigator.hardwareConcurrency : 1;
  }

  async prepare(workload: Workload): Promise<void> {
    const found = await init(this.backend);
    if (!found.includes(this.backend)) throw new Error(`jax-js could not start ${this.backend}`);
    defaultDevice(this.backend);
    this.device = this.backend === 'wasm' ? 'wasm' : describe(getWebGPUDevice());
    const start = startValues(workload.parameters);
    const fresh = (): Arrays =>
      Object.fromEntries(workload.parameters.map(({ name, shape }) => [name, np.zeros(shape)]));
    const p: Arrays = {};
    for (const [name, { shape, data }] of start) p[name] = np.array(data as Float32Array<ArrayBuffer>).reshape(shape);
    this.state = { step: np.array(0), p, m: fresh(), v: fresh() };
    const { rows, columns, model } = workload;
    const ids = tokens(rows, columns, model.vocabulary);
    this.oneHot = oneHot(ids, rows, columns, model.vocabulary);
    const targets = ids.filter((_, i) => i % columns !== 0);
    this.targets = oneHot(targets, rows, columns - 1, model.vocabulary);
    this.update = jit(trainingStep(workload));
    await blockUntilReady(this.state);
  }

  async step(): Promise<number> {
    const [loss, state] = this.update(this.state, this.oneHot.ref, this.targets.ref);
    this.state = state;
    const [value] = (await loss.data()) as Float32Array;
    return value;
  }

  /** In a page its threads go on with backward and update when the loss is there already. */
  async settle(): Promise<void> {
    await blockUntilReady(this.state);
  }

  async measurePeak(): Promise<number> {
    const product = jit((a: np.Array, b: np.Array) => np.matmul(a, b));
    const matrix = () =>
      np.array(Float32Array.from({ length: PEAK_SIZE ** 2 }, (_, i) => (i % 7) / 7)).reshape([PEAK_SIZE, PEAK_SIZE]);
    const [a, b] = [matrix(), matrix()];
    const rate = await fastestProduct(async () => {
      const c = product(a.ref, b.ref);
      await c.blockUntilReady();
      c.dispose();
    });
    tree.dispose([a, b]);
    return rate;
  }

  async dispose(): Promise<void> {
    tree.dispose([this.state, this.oneHot, this.targets]);
  }
}

function trainingStep(workload: Workload) {
  const { rows, columns, model, optimizer } = workload;
  const { learningRate, beta1, beta2, epsilon, weightDecay } = optimizer;
  const logits = model.kind === 'lstm' ? jaxLstmLogits : jaxGptLogits;
  const loss = (p: Arrays, oneHot: np.Array, targets: np.Array): np.Array => {
    const found = logits(workload, p, oneHot).slice([], [0, columns - 1]);
    tree.dispose(p);
    oneHot.dispose();
    return nn
      .logSoftmax(found)
      .mul(targets)
      .sum()
      .mul(-1 / (rows * (columns - 1)));
  };
  const both = valueAndGrad(loss);
  return (state: State, oneHot: np.Array, targets: np.Array): [np.Array, State] => {
    const [value, gradients] = both(tree.ref(state.p), oneHot, targets) as [np.Array, Arrays];
    const step = state.step.add(1);
    const correction = (beta: number) => np.array(1).sub(np.exp(step.ref.mul(Math.log(beta))));
    const c1 = correction(beta1);
    const root = np.sqrt(correction(beta2));
    const [p, m, v]: [Arrays, Arrays, Arrays] = [{}, {}, {}];
    for (const name of Object.keys(state.p)) {
      const g = gradients[name];
      m[name] = state.m[name].mul(beta1).add(g.ref.mul(1 - beta1));
      v[name] = state.v[name].mul(beta2).add(g.ref.mul(g).mul(1 - beta2));
      const scale = np.sqrt(v[name].ref).div(root.ref).add(epsilon);
      const change = m[name].ref.div(c1.ref).div(scale).mul(learningRate);
      p[name] = state.p[name].mul(1 - learningRate * weightDecay).sub(change);
    }
    tree.dispose([c1, root]);
    return [value, { step, p, m, v }];
  };
}

function oneHot(ids: Int32Array, rows: number, columns: number, vocabulary: number): np.Array {
  const values = new Float32Array(ids.length * vocabulary);
  ids.forEach((id, i) => (values[i * vocabulary + id] = 1));
  return np.array(values).reshape([rows, columns, vocabulary]);
}

function describe({ adapterInfo }: GPUDevice): string {
  return adapterInfo.description || adapterInfo.device || adapterInfo.vendor;
}
