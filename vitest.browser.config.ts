import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { buildKernels } from './scripts/build-kernels.mjs';
import { chromiumFlags, findChromium } from './scripts/chromium.mjs';

await buildKernels();

/** Tests that need a real browser: WebGPU, OPFS, workers. */
export default defineConfig({
  test: {
    include: ['{src,workers}/**/*.browser.test.ts'],
    testTimeout: 120_000,
    fileParallelism: false,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: findChromium() ?? undefined, args: chromiumFlags } }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
