import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,workers,cli,scripts,bench}/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts', 'node_modules/**'],
    testTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
