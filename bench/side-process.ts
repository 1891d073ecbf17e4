import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { wasmHost } from '../cli/wasm-host.ts';
import { answering } from './answering.ts';
import { makeSide } from './peers/make-side.ts';
import type { Request } from './run-side.ts';

/**
 * A process for one side: `node --import tsx bench/side-process.ts NAME`, JSON lines in and out. The harness starts it.
 */
const name = process.argv[2];
// Node 20 has relaxed SIMD behind a flag, browsers have it without; every side may use it.
setFlagsFromString('--experimental-wasm-relaxed-simd');
// Stdout is for answers alone.
console.log = console.error;
console.warn = () => {};
if (name.includes('webgpu')) await offerWebGpu();

const handle = answering(() => makeSide(name, { registerGradients, wasm: wasmHost }));
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify(await handle(request))}\n`);
  if (request.do === 'dispose') process.exit(0);
}

/** Through require: the file is an ES module by syntax alone, with folder imports that Node's own loader refuses. */
async function registerGradients(): Promise<void> {
  createRequire(import.meta.url)('@tensorflow/tfjs-core/dist/register_all_gradients.js');
}

/** navigator.gpu by Dawn, whose adapter is a real card, or an emulation where VK_ICD_FILENAMES names one. */
async function offerWebGpu(): Promise<void> {
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  const navigator = { gpu: create([]), userAgent: 'Node', hardwareConcurrency: cpus().length };
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true, writable: true });
}
