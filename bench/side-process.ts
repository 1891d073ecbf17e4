import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { wasmHost } from '../cli/wasm-host.ts';
import { makeSide } from './peers/make-side.ts';
import { answer, type Request } from './run-side.ts';
import { NotHere, type Side } from './side.ts';

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

let side: Side | null = null;
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  try {
    side ??= await makeSide(name, { registerGradients, wasm: wasmHost });
    say(await answer(side, request));
  } catch (error) {
    say(error instanceof NotHere ? { notHere: error.message } : { error: String((error as Error).stack ?? error) });
  }
  if (request.do === 'dispose') process.exit(0);
}

function say(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
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
