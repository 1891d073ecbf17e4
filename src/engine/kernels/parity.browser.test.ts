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

parityTests(parityCases(), { webgpu });
