import { createEngine } from '../../src/engine/create-engine.ts';
import { chooseDevice } from '../../src/engine/device.ts';
import type { Batch, Engine, EngineName, OptimizerSettings } from '../../src/engine/engine.ts';
import type { WasmHost } from '../../src/engine/runtimes/wasm/host.ts';
import { NotHere, type Side } from '../side.ts';
import { startValues, tokens } from '../start-values.ts';
import type { Workload } from '../workloads.ts';

/** Blindfold's own engines, as a run uses them. */
export class Blindfold implements Side {
  device = '';
  readonly threads: number;
  private engine!: Engine;
  private batch!: Batch;
  private optimizer!: OptimizerSettings;
  private taken = 0;

  /** @param wasm what the WASM engine needs of this host, its threads included. */
  constructor(
    private readonly name: EngineName,
    private readonly wasm: WasmHost | undefined,
  ) {
    this.threads = name === 'wasm' ? (wasm?.threads ?? 1) : 1;
  }

  get runAhead(): number {
    return this.engine.runAhead;
  }

  async prepare(workload: Workload): Promise<void> {
    const { name, wasm } = this;
    const { model, rows, columns } = workload;
    const backend = name === 'webgpu' ? 'webgpu' : 'wasm';
    const parameters = startValues(workload.parameters);
    const gpu = backend === 'webgpu' ? navigator.gpu : undefined;
    const device = await chooseDevice({ gpu, simd: true, threads: this.threads, wanted: backend });
    try {
      this.engine = await createEngine({ engine: name, backend, model, parameters, device, wasm });
    } catch (error) {
      // A compiled engine that has no plan for a kind of model yet is no failure of the bench.
      if (error instanceof Error && error.message.startsWith('no plan for')) throw new NotHere(error.message);
      throw error;
    }
    if (this.engine.name !== name)
      throw new NotHere(`there is no engine ${name} here; ${this.engine.name} came instead`);
    this.device = this.engine.device.adapter;
    const offsets = Int32Array.from({ length: rows + 1 }, (_, row) => row * columns);
    this.batch = { tokens: tokens(rows, columns, model.vocabulary), offsets };
    this.optimizer = { ...workload.optimizer, clipNorm: 0, muon: null };
  }

  async step(): Promise<number> {
    return (await this.engine.step(this.batch, this.optimizer, this.taken++)).loss;
  }

  measurePeak(): Promise<number | null> {
    return this.engine.measurePeak();
  }

  async dispose(): Promise<void> {
    this.engine.dispose();
  }
}
