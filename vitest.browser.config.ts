import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { buildKernels } from './scripts/build-kernels.mjs';
import { chromiumFlags, findChromium } from './scripts/chromium.mjs';

await buildKernels();

/** Tests that need a real browser: WebGPU, OPFS, workers, components by keyboard. */
export default defineConfig({
  plugins: [svelte()],
  // Its own: the unit tests beside it would find the bundled dependencies to be of another configuration, and replace them.
  cacheDir: 'node_modules/.vite-browser',
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
