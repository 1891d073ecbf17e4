import { isCompiled, type ModelConfig } from '../models/model.ts';
import type { BackendName, DeviceReport, Engine, EngineName, NamedArrays, Precision, TrainingAhead } from './engine.ts';
import type { WasmPaths } from './runtimes/tfjs/backend.ts';
import type { WasmHost } from './runtimes/wasm/host.ts';

export interface EngineRequest {
  /**
   * The compiled engine of the backend where not said; 'tfjs' is the reference on any backend, and the only one for the
   * kinds of model that the compiled engines lack, whatever is said here.
   */
  engine?: EngineName;
  backend: BackendName;
  model: ModelConfig;
  /** Initial or trained parameters; they are copied. */
  parameters: NamedArrays;
  /** Of training; 'full' where not said. 'mixed' is used by the compiled engine on WebGPU, where its device is admitted. */
  precision?: Precision;
  /** What chooseDevice said; made up from the backend's name where it was not asked. */
  device?: DeviceReport;
  /** For the compiled engine on WebAssembly. */
  wasm?: WasmHost;
  /** For the reference on WebAssembly: where a browser finds the .wasm files of TF.js. */
  wasmPaths?: WasmPaths;
  /** What the compiled engines make ready for; without it, they do at the first step. */
  training?: TrainingAhead;
  /** Pipelines compiled so far, on WebGPU, where `training` is given. */
  onProgress?: (done: number, total: number) => void;
}

/** An engine for a model on a device; each engine's code is loaded only where it is used. */
export async function createEngine(request: EngineRequest): Promise<Engine> {
  const { backend, model, parameters, precision, training, wasm, wasmPaths, onProgress } = request;
  const found = request.device ?? {
    backend,
    adapter: backend,
    reason: `The ${backend} backend was asked for.`,
    available: [{ backend, note: 'in use' }],
  };
  const usual = backend === 'cpu' ? 'tfjs' : backend;
  const engine = isCompiled(model.kind) ? (request.engine ?? usual) : 'tfjs';
  const device = precision === 'mixed' && engine !== 'webgpu' ? inFull(found, engine) : found;
  if (engine === 'wasm') {
    if (!wasm) throw new Error('createEngine: the compiled engine on WebAssembly needs a host');
    const { createWasmEngine } = await import('./runtimes/wasm/engine.ts');
    return createWasmEngine({ host: wasm, model, parameters, device, training });
  }
  if (engine === 'webgpu') {
    const { createWebgpuEngine } = await import('./runtimes/webgpu/create-engine.ts');
    return createWebgpuEngine({ model, parameters, device, precision, training, onProgress });
  }
  const tfjs = await import('./runtimes/tfjs/create-engine.ts');
  return tfjs.createEngine({ backend, model, parameters, device, wasmPaths });
}

/** The device's report where mixed precision was asked for and the engine has none. */
function inFull(device: DeviceReport, engine: EngineName): DeviceReport {
  const which = engine === 'wasm' ? 'the engine on WebAssembly' : 'the reference engine';
  const reason = `Mixed precision was asked for, but training is in full precision: ${which} knows no other.`;
  return { ...device, precision: { used: 'full', reason } };
}
