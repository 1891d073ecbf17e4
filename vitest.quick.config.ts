import { defineConfig } from 'vitest/config';

/** The reference engine takes seconds to load and to step; `npm test` has these. */
const withEngine = [
  'src/studies/asking/{answer-prompt,run-watch}.test.ts',
  'src/studies/splat/questions/{ask-questions,assess-splat}.test.ts',
  'src/interchange/forms/shifted-qwen3-form.test.ts',
  'src/training/loop.test.ts',
];
/** Many games or positions, more than a second each. */
const long = [
  'src/domains/chess/**/{oracle,perft,prompt,valid-tokens}.test.ts',
  'src/data/{shards,sources,testbed-split}.test.ts',
  'src/studies/testbed/instances.test.ts',
];

/** `npm run test:quick`: pure code, in one process that loads its modules once. */
export default defineConfig({
  test: {
    include: ['{src,scripts}/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts', 'src/engine/**', 'scripts/self-play/**', ...withEngine, ...long],
    // Whole collections of games are for `npm test`, too.
    testNamePattern: /^(?!.*\(needs \.\.\/shared)/,
    testTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
  },
});
