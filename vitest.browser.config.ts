import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { buildKernels } from './scripts/build-kernels.mjs';
import { chromiumFlags, findChromium } from './scripts/chromium.mjs';

await buildKernels();

/** Our own kernels, apart from TF.js's. */
const kernels = 'src/engine/{kernels,runtimes/webgpu}/**/*.browser.test.ts';

const browser = (...flags: string[]) => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    launchOptions: { executablePath: findChromium() ?? undefined, args: [...chromiumFlags, ...flags] },
  }),
  instances: [{ browser: 'chromium' as const }],
});

/** Tests that need a real browser: WebGPU, OPFS, workers, components by keyboard. */
export default defineConfig({
  plugins: [svelte()],
  // Its own: the unit tests beside it would find the bundled dependencies to be of another configuration, and replace them.
  cacheDir: 'node_modules/.vite-browser',
  test: {
    testTimeout: 400_000,
    fileParallelism: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'page',
          include: ['{src,workers}/**/*.browser.test.ts'],
          exclude: [kernels],
          browser: browser(),
        },
      },
      // Without the browser's bounds checks, which would hide an index that is out of bounds and take a quarter of the
      // compiler's time. TF.js's kernels cannot do without them.
      {
        extends: true,
        test: {
          name: 'kernels',
          include: [kernels],
          browser: browser('--enable-dawn-features=disable_robustness'),
        },
      },
    ],
  },
});
