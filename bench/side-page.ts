import { answering } from './answering.ts';
import { makeSide } from './peers/make-side.ts';
import type { Request } from './run-side.ts';

/**
 * A page for one side: side-page.html?NAME. The harness calls `answer` in it, one request at a time. Peers run as they
 * are used, in the page; Blindfold in a worker.
 */
const name = decodeURIComponent(location.search.slice(1));

Object.assign(globalThis, { answer: name.startsWith('blindfold') ? inWorker() : inPage() });

function inPage(): (request: Request) => Promise<object> {
  return answering(() =>
    makeSide(name, {
      wasmPaths: '/node_modules/@tensorflow/tfjs-backend-wasm/dist/',
      registerGradients: () => import('@tensorflow/tfjs-core/dist/register_all_gradients.js'),
    }),
  );
}

function inWorker(): (request: Request) => Promise<object> {
  const worker = new Worker(new URL('./side-worker.ts', import.meta.url), { type: 'module', name });
  return (request) =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<object>) => resolve(data);
      worker.onerror = ({ message }) => resolve({ error: `the worker of ${name} did not start: ${message}` });
      worker.postMessage(request);
    });
}
