import type { WasmHost } from '../src/engine/runtimes/wasm/host.ts';

/** A worker as the WASM engine's host. */
export function wasmHost(threads: number): WasmHost {
  return {
    threads: crossOriginIsolated ? threads : 1,
    async load(address) {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`the kernels could not be loaded (${response.status} at ${address.pathname})`);
      return new Uint8Array(await response.arrayBuffer());
    },
    startThread: (start) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(new URL('./kernel/kernel.worker.ts', import.meta.url), { type: 'module' });
        worker.onmessage = () => resolve({ terminate: () => worker.terminate() });
        worker.onerror = (event) => reject(new Error(`a thread could not start: ${event.message}`));
        worker.postMessage(start);
      }),
    clock: () => performance.now(),
  };
}
