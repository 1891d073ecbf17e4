import * as tf from '@tensorflow/tfjs-core';
import type { BackendName } from '../engine.ts';

/** Where the three .wasm files are: a folder (ending in "/") or a URL for each file. */
export type WasmPaths = string | Record<WasmFile, string>;
export type WasmFile =
  'tfjs-backend-wasm.wasm' | 'tfjs-backend-wasm-simd.wasm' | 'tfjs-backend-wasm-threaded-simd.wasm';

/**
 * Loads a TF.js backend, once, and makes it the one in use. Each is its own chunk of a bundle.
 * @param wasmPaths needed in a browser for 'wasm'; Node finds the files beside the package.
 * @throws where the backend cannot start on this machine.
 */
export async function loadBackend(name: BackendName, wasmPaths?: WasmPaths): Promise<void> {
  // Without it TF.js writes advertisements to the console.
  tf.enableProdMode();
  if (!(name in tf.engine().registry)) await importBackend(name, wasmPaths);
  if (!(await tf.setBackend(name))) throw new Error(`The ${name} backend of TF.js could not start on this machine.`);
}

async function importBackend(name: BackendName, wasmPaths?: WasmPaths): Promise<void> {
  if (name === 'wasm') {
    const wasm = await import('@tensorflow/tfjs-backend-wasm');
    const { installWasmKernels } = await import('./wasm-kernels.ts');
    // The threaded build's worker does not survive minification, and one thread a model is what the lab wants.
    tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
    if (wasmPaths !== undefined) wasm.setWasmPaths(wasmPaths);
    installWasmKernels();
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
