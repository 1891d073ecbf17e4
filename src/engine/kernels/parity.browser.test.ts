/// <reference types="vite/client" />
import { parityTests } from '../../../fixtures/parity/suite.ts';
import type { KernelDevice } from '../plan/kernel-device.ts';
import { parityCases } from './parity.ts';

// Asked for by a pattern, so that this file stands before the device does.
const modules = import.meta.glob('../runtimes/webgpu/kernel-device.ts');

async function webgpu(): Promise<KernelDevice | null> {
  const load = modules['../runtimes/webgpu/kernel-device.ts'] as
    (() => Promise<{ webgpuKernelDevice(): Promise<KernelDevice | null> }>) | undefined;
  return load ? (await load()).webgpuKernelDevice() : null;
}

/**
 * Widths of heads, windows and dropout in pairs, not all three together: an emulated card compiles each anew, three
 * seconds a pipeline. The kernels for WASM have them all.
 */
const [widths, windows] = [
  [3, 10, 16, 65, 36],
  [null, 1, 3, 100],
];
const chosen = parityCases().filter(({ call }) => {
  if (call.kernel !== 'attention' && call.kernel !== 'attentionGradient') return true;
  const [width, window] = [widths.indexOf(call.qkv.columns / 3 / call.heads), windows.indexOf(call.window)];
  return (call.dropout !== null) === ((width + window) % 2 === 1);
});

parityTests(chosen, { 'webgpu (needs WebGPU)': webgpu });
