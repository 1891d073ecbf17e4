/// <reference types="vite/client" />
import { parityTests } from '../../../fixtures/parity/suite.ts';
import type { KernelDevice } from '../plan/kernel-device.ts';
import { parityCases } from './parity.ts';

// Asked for by a pattern, so that this file stands before the device does.
const modules = import.meta.glob('../runtimes/webgpu/kernel-device.ts');

async function webgpu(): Promise<KernelDevice | null> {
  const load = modules['../runtimes/webgpu/kernel-device.ts'] as
    | (() => Promise<{ webgpuKernelDevice(): Promise<KernelDevice | null> }>)
    | undefined;
  return load ? (await load()).webgpuKernelDevice() : null;
}

/**
 * Attention by width of the heads, with and without dropout, not all of both: an emulated card compiles each anew, up to
 * a second a pipeline. Dropout is one more factor, the same for all widths. The kernels for WASM have them all.
 */
const withDropout: Record<number, boolean[]> = { 3: [false, true], 10: [true], 16: [false], 65: [true], 36: [false] };
const chosen = parityCases().filter(({ call }) => {
  if (call.kernel !== 'attention' && call.kernel !== 'attentionGradient') return true;
  return withDropout[call.qkv.columns / 3 / call.heads].includes(call.dropout !== null);
});

parityTests(chosen, { 'webgpu (needs WebGPU)': webgpu });
