import type { WasmHost } from '../../src/engine/runtimes/wasm/host.ts';
import type { Side } from '../side.ts';

/** What the host of a side (a Node process, a page) has to lend it. */
export interface Lent {
  /** Where TF.js finds its .wasm files; undefined in Node. */
  wasmPaths?: string;
  /** Brings in the gradients that TF.js's core leaves out. */
  registerGradients: () => Promise<unknown>;
  /** What Blindfold's WASM engine needs; undefined where it is not measured. */
  wasm?: (threads: number) => WasmHost;
}

/** A side written in TypeScript, by the name it has in sides.ts. */
export async function makeSide(name: string, { wasmPaths, registerGradients, wasm }: Lent): Promise<Side> {
  const [, family, threads] = /^([a-z-]+?)(?:-(\d+))?$/.exec(name) ?? [];
  const device = family.endsWith('webgpu') ? 'webgpu' : 'wasm';
  if (family.startsWith('stock')) {
    const { Stock } = await import('./stock.ts');
    return new Stock(device, registerGradients, wasmPaths);
  }
  if (family.startsWith('jax-js')) {
    const { JaxJs } = await import('./jax-js.ts');
    return new JaxJs(device);
  }
  const { Blindfold } = await import('./blindfold.ts');
  return new Blindfold(family === 'blindfold-tfjs' ? 'tfjs' : device, wasm?.(Number(threads ?? 1)));
}
