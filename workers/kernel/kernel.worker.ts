import { serveThread, type ThreadStart } from '../../src/engine/runtimes/wasm/host.ts';

/** A thread of the WASM kernels: told once what to serve, then it sleeps and runs inside WebAssembly for ever. */
addEventListener('message', ({ data }: MessageEvent<ThreadStart>) => {
  postMessage('ready');
  serveThread(data);
});
