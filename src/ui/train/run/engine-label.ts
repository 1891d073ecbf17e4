import type { EngineInUse } from '../../../../workers/train/protocol.ts';

/** "compiled for WebAssembly, 2 threads"; "compiled for WebGPU, mixed precision". */
export function engineLabel({ name, threads, mixed }: EngineInUse): string {
  const text = {
    tfjs: 'TensorFlow.js reference',
    wasm: 'compiled for WebAssembly',
    webgpu: 'compiled for WebGPU',
  }[name];
  if (threads === null) return mixed ? `${text}, mixed precision` : text;
  return `${text}, ${threads === 1 ? 'one thread' : `${threads} threads`}`;
}

/** 8.1e10 as "81 GFLOP/s". */
export function flopRate(flops: number): string {
  if (flops >= 9.95e11) return `${(flops / 1e12).toFixed(1)} TFLOP/s`;
  return `${flops >= 9.95e9 ? Math.round(flops / 1e9) : (flops / 1e9).toFixed(1)} GFLOP/s`;
}
