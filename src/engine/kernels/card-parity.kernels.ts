import { parityTests } from '../../../fixtures/parity/suite.ts';
import { webgpuKernelDevice } from '../runtimes/webgpu/kernel-device.ts';
import { cardShapes } from '../runtimes/webgpu/lower.ts';
import { smallTiling } from '../gpu-kit/matmul.ts';
import { parityCases } from './parity.ts';

/**
 * Every case by the kernels for graphics cards, too: npm run test:kernels. An emulation compiles those for ten minutes,
 * so `npm test` has some of them only (engine.browser.test.ts, mixed-parity.browser.test.ts).
 */
const narrow = { ...cardShapes, tiling: smallTiling };
const products = parityCases().filter(({ call }) => /^(linear|weightGradient|muon)/.test(call.kernel));
parityTests(parityCases(), { 'the kernels for a card': () => webgpuKernelDevice(cardShapes) });
// Small tiles are another way for products alone.
parityTests(products, { 'the small tiles for a card': () => webgpuKernelDevice(narrow) });
