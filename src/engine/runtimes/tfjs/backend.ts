import * as tf from '@tensorflow/tfjs-core';
import type { BackendName } from '../../engine.ts';

/** Where the three .wasm files are: a folder (ending in "/") or a URL for each file. */
export type WasmPaths = string | Record<WasmFile, string>;
export type WasmFile =
  | 'tfjs-backend-wasm.wasm'
  | 'tfjs-backend-wasm-simd.wasm'
  | 'tfjs-backend-wasm-threaded-simd.wasm';

export interface BackendOptions {
  /** Needed in a browser for 'wasm'; Node finds the files beside the package. */
  wasmPaths?: WasmPaths;
}

/** Backends that are being started, by name. */
const starting = new Map<BackendName, Promise<void>>();

/**
 * Loads a TF.js backend, once, and makes it the one in use. Each is its own chunk of a bundle.
 * @throws where the backend cannot start on this machine.
 */
export async function loadBackend(name: BackendName, options: BackendOptions = {}): Promise<void> {
  // Without it TF.js writes advertisements to the console.
  tf.enableProdMode();
  if (!(name in tf.engine().registry)) {
    if (!starting.has(name)) starting.set(name, startBackend(name, options));
    await starting.get(name)!.finally(() => starting.delete(name));
  }
  useBackend(name);
}

/** While TF.js itself waits for a backend it refuses all work, that of other engines too; so it is handed a ready one. */
async function startBackend(name: BackendName, options: BackendOptions): Promise<void> {
  await importBackend(name, options);
  let backend: tf.KernelBackend;
  try {
    backend = await tf.findBackendFactory(name)();
  } catch (cause) {
    throw new Error(`The ${name} backend of TF.js could not start on this machine.`, { cause });
  }
  tf.removeBackend(name);
  tf.registerBackend(name, () => backend);
}

/**
 * Makes a device the one that TF.js's WebGPU backend runs on, before that backend has started: TF.js would open one of
 * its own, without the features the compiled engine wants, and tensors of two devices cannot meet.
 */
export function offerWebgpuDevice(device: GPUDevice, info: GPUAdapterInfo): void {
  if ('webgpu' in tf.engine().registry) return;
  tf.enableProdMode();
  if ('webgpu' in tf.engine().registryFactory) tf.removeBackend('webgpu');
  // The package registers a factory as it loads; this one is there first and stays.
  tf.registerBackend(
    'webgpu',
    async () => {
      const { WebGPUBackend } = await import('@tensorflow/tfjs-backend-webgpu');
      return new WebGPUBackend(device, info);
    },
    3,
  );
}

/** Forgets a device that was lost: the next one offered, or TF.js's own, takes its place. */
export function withdrawWebgpuDevice(): void {
  if ('webgpu' in tf.engine().registryFactory) tf.removeBackend('webgpu');
}

/** The device of TF.js's WebGPU backend where that has started, null where it has not. */
export async function webgpuDeviceInUse(): Promise<GPUDevice | null> {
  const backend = tf.engine().registry.webgpu as { device?: GPUDevice } | undefined;
  return backend?.device ?? null;
}

async function importBackend(name: BackendName, { wasmPaths }: BackendOptions): Promise<void> {
  if (name === 'wasm') {
    const wasm = await import('@tensorflow/tfjs-backend-wasm');
    // The threaded build's worker does not survive minification, and one thread a model is what the lab wants.
    tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    if (wasmPaths !== undefined) wasm.setWasmPaths(wasmPaths);
    (await import('./operations/wasm-kernels.ts')).installWasmKernels();
  } else if (name === 'webgpu') {
    await import('@tensorflow/tfjs-backend-webgpu');
    // Otherwise small tensors wander to the CPU and every step waits for them.
    tf.env().set('WEBGPU_CPU_FORWARD', false);
  } else {
    await import('@tensorflow/tfjs-backend-cpu');
  }
}

/** Makes a loaded backend the one in use: several engines can live in one thread. */
export function useBackend(name: BackendName): void {
  // setBackend is synchronous once the backend has started; its promise holds nothing to wait for.
  if (tf.getBackend() !== name) void tf.setBackend(name);
}
