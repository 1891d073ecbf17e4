import { createEngine } from '../src/engine/create-engine.ts';
import { chooseDevice } from '../src/engine/device.ts';
import type {
  BackendName,
  DeviceReport,
  Engine,
  EngineName,
  NamedArrays,
  Precision,
  TrainingAhead,
} from '../src/engine/engine.ts';
import type { ModelConfig } from '../src/models/model.ts';
import { trainingThreads } from './training-threads.ts';
import { wasmHost } from './wasm-host.ts';
import { wasmPaths } from './wasm-paths.ts';

export interface WorkerEngineOptions {
  /** As many as training may use where not said. */
  threads?: number;
  /** The compiled engine of the device where not said. */
  engine?: EngineName;
  /** Of training; full where not said. */
  precision?: Precision;
  /** As EngineRequest has them. */
  training?: TrainingAhead;
  onProgress?: (done: number, total: number) => void;
}

/** An engine in this worker, its kernels' threads in workers of their own. */
export function createWorkerEngine(
  device: DeviceReport,
  model: ModelConfig,
  parameters: NamedArrays,
  { threads = trainingThreads(), engine, precision, training, onProgress }: WorkerEngineOptions = {},
): Promise<Engine> {
  const wasm = wasmHost(threads);
  const options = { engine, precision, training, onProgress, wasm, wasmPaths };
  return createEngine({ ...options, backend: device.backend, device, model, parameters });
}

/** The device that this worker would use; without `gpu`, one that is none. */
export function workerDevice(wanted: BackendName | null, gpu: GPU | undefined): Promise<DeviceReport> {
  const isolated = crossOriginIsolated;
  return chooseDevice({ gpu, simd: true, threads: trainingThreads(), isolated, wanted: wanted ?? undefined });
}
