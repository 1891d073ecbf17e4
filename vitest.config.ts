import { defineConfig } from 'vitest/config';
import { buildKernels } from './scripts/build-kernels.mjs';

await buildKernels();

/** Tests of TF.js's state, which is one a process, and of modules mocked as they load. */
const alone = ['src/engine/runtimes/tfjs/**/*.test.ts', 'workers/**/*.test.ts'];
const browser = '**/*.browser.test.ts';

export default defineConfig({
  test: {
    // The tests share their cores with others: a longer wait costs nothing.
    testTimeout: 400_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: [browser] } },
      // Files that share a process load the modules once, which saves a fifth of their time.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,cli,scripts,bench}/**/*.test.ts'],
          exclude: [browser, ...alone],
          isolate: false,
        },
      },
    ],
  },
});
