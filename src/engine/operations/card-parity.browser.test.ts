/// <reference types="vite/client" />
import { describe, it } from 'vitest';
import { parityTests } from '../../../fixtures/parity/suite.ts';
import { webgpuKernelDevice } from '../webgpu/kernel-device.ts';
import { cardShapes } from '../webgpu/lower.ts';
import { smallTiling } from '../webgpu/matmul.ts';
import { parityCases } from './parity.ts';

/**
 * Every case by the kernels for graphics cards, too. An emulation compiles those for ten minutes, so they are tried
 * where they are asked for: npm run test:kernels. Some are in every run (engine.browser.test.ts, mixed-parity).
 */
if (import.meta.env.MODE === 'all-kernels') {
  const narrow = { ...cardShapes, tiling: smallTiling };
  const products = parityCases().filter(({ call }) => /^(linear|weightGradient|muon)/.test(call.kernel));
  parityTests(parityCases(), { 'the kernels for a card': () => webgpuKernelDevice(cardShapes) });
  // Small tiles are another way for products alone.
  parityTests(products, { 'the small tiles for a card': () => webgpuKernelDevice(narrow) });
} else
  describe('parity by the kernels for graphics cards', () => {
    it.skip('is tried by npm run test:kernels', () => {});
  });
