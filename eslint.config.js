import boundaries from 'eslint-plugin-boundaries';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

/** The engine's parts, lowest first: each may import those named here, and itself (src/engine/README.md). */
const engineParts = {
  'engine/engine.ts': [],
  'engine/plan': ['engine/engine.ts'],
  'engine/inference.ts': ['engine/engine.ts', 'engine/plan'],
  'engine/gpu-kit': ['engine/engine.ts', 'engine/plan'],
  'engine/wasm-kit': ['engine/plan'],
  'engine/kernels': ['engine/engine.ts', 'engine/plan', 'engine/gpu-kit'],
  'engine/runtimes/tfjs': ['engine/engine.ts', 'engine/plan'],
  'engine/runtimes/wasm': ['engine/engine.ts', 'engine/plan', 'engine/inference.ts', 'engine/wasm-kit'],
  'engine/runtimes/webgpu': [
    'engine/engine.ts',
    'engine/plan',
    'engine/inference.ts',
    'engine/gpu-kit',
    'engine/kernels',
    'engine/runtimes/tfjs',
  ],
  'engine/device.ts': ['engine/engine.ts'],
  'engine/create-engine.ts': [
    'engine/engine.ts',
    'engine/runtimes/tfjs',
    'engine/runtimes/wasm',
    'engine/runtimes/webgpu',
  ],
};
/** What the other layers may import of it: the contract, the two entries, and what hosts give to the runtimes. */
const engine = [
  'engine/engine.ts',
  'engine/device.ts',
  'engine/create-engine.ts',
  'engine/runtimes/tfjs',
  'engine/runtimes/wasm',
];

const lower = [
  'base',
  'config',
  'domains',
  'data',
  'models',
  ...engine,
  'interchange',
  'training',
  'report',
  'studies',
];
/** Each layer may import those named here, and itself (ARCHITECTURE.md). */
const below = {
  base: [],
  config: ['base'],
  domains: ['base', 'config'],
  data: ['base', 'config', 'domains'],
  models: ['base', 'config'],
  ...Object.fromEntries(
    Object.entries(engineParts).map(([part, parts]) => [part, ['base', 'config', 'models', ...parts]]),
  ),
  interchange: ['base', 'config', 'models', ...engine],
  training: ['base', 'config', 'domains', 'data', 'models', ...engine, 'interchange'],
  report: ['base', 'config'],
  studies: ['base', 'config', 'domains', 'data', 'models', ...engine, 'report'],
  workers: lower,
  cli: lower,
  ui: ['base', 'config', 'domains', 'data', 'models', 'report', 'studies', 'workers'],
};
/** A layer as the plugin's category of files: a folder, or where the name is a file's that file. */
const categoryOf = (layer) => {
  const path = layer === 'workers' || layer === 'cli' ? layer : `src/${layer}`;
  return { category: layer, pattern: path.endsWith('.ts') ? path : `${path}/**` };
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'cli/built/',
      'node_modules/',
      'public/',
      'screenshots/',
      '.cache/',
      '.svelte-check/',
      'test-results/',
      '**/*.as.ts',
    ],
  },
  ...tseslint.configs.recommended,
  ...svelte.configs.recommended,
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: tseslint.parser } } },
  {
    files: ['src/**/*.{ts,svelte}', 'workers/**/*.ts', 'cli/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.kernels.ts'],
    plugins: { boundaries },
    settings: {
      // Imports name their files whole, so that Node's own resolution finds them.
      'import/resolver': { node: { extensions: ['.ts', '.svelte'] } },
      'boundaries/files': Object.keys(below).map(categoryOf),
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          message: 'imports go downward only (ARCHITECTURE.md)',
          policies: [
            ...Object.entries(below).map(([from, to]) => ({
              from: { file: { categories: from } },
              allow: { to: { file: { categories: { anyOf: [from, ...to] } } } },
            })),
            { allow: { to: { module: { origin: ['external', 'core'] } } } },
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/ui/**', '**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Randomness is passed in (src/base/random.ts).' },
        { object: 'Date', property: 'now', message: 'Time is passed in.' },
        { object: 'performance', property: 'now', message: 'Time is passed in.' },
      ],
    },
  },
  { rules: { '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }] } },
);
