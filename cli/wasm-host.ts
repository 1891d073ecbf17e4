import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { WasmHost } from '../src/engine/runtimes/wasm/host.ts';

/** Node as the WASM engine's host. @param threads those of BLINDFOLD_THREADS, or all cores, at most eight, where not said */
export function wasmHost(threads: number = usualThreads()): WasmHost {
  // Node 20 has relaxed SIMD behind a flag; later ones ignore it.
  setFlagsFromString('--experimental-wasm-relaxed-simd');
  return {
    threads,
    load: async (address) => new Uint8Array(await readFile(address)),
    startThread: (start) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(new URL('./kernel-thread.mjs', import.meta.url), { workerData: start });
        // A thread sleeps for ever once it serves; it must not keep the program alive.
        worker.unref();
        worker.once('message', () => resolve({ terminate: () => void worker.terminate() }));
        worker.once('error', reject);
      }),
    clock: () => performance.now(),
  };
}

function usualThreads(): number {
  const wanted = Number(process.env.BLINDFOLD_THREADS);
  return Number.isInteger(wanted) && wanted > 0 ? wanted : Math.min(8, availableParallelism());
}
