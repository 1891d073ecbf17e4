import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { buildKernels } from './scripts/build-kernels.mjs';

await buildKernels();

/** Tests of a module mocked as it loads, of TF.js's first start, and of runs that leave tensors where others count them. */
const alone = [
  'workers/train/{run-list,starting-weights,brought-tokens}.test.ts',
  'src/engine/runtimes/tfjs/backend.test.ts',
];
/** Tests of TF.js's state, which is one a process. */
const tfjs = ['src/engine/runtimes/tfjs/**/*.test.ts'];
const browser = '**/*.browser.test.ts';

export default defineConfig({
  test: {
    // The tests share their cores with others: a longer wait costs nothing.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    // Threads of the kernels spin while they wait for each other, and the cores have other work.
    env: { BLINDFOLD_THREADS: '1' },
    pool: 'forks',
    // A core is left to the tests in a browser, which `npm test` runs beside these.
    maxWorkers: Math.max(1, Math.min(2, availableParallelism() - 1)),
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: [browser] } },
      // Files that share a process load the modules once, which saves a fifth of their time.
      { extends: true, test: { name: 'tfjs', include: tfjs, exclude: [browser, ...alone], isolate: false } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,workers,cli,scripts,bench}/**/*.test.ts'],
          exclude: [browser, ...alone, ...tfjs],
          isolate: false,
        },
      },
    ],
  },
});
