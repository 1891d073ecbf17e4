import { defineConfig } from 'vitest/config';
import { buildKernels } from './scripts/build-kernels.mjs';

await buildKernels();

export default defineConfig({
  test: {
    include: ['{src,workers,cli,scripts,bench}/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts', 'node_modules/**'],
    testTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
