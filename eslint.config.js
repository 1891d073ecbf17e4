import boundaries from 'eslint-plugin-boundaries';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

/** The house: each layer may import those named here, and itself. */
const below = {
  base: [],
  config: ['base'],
  domains: ['base', 'config'],
  data: ['base', 'config', 'domains'],
  models: ['base', 'config'],
  engine: ['base', 'config', 'models'],
  interchange: ['base', 'config', 'models', 'engine'],
  training: ['base', 'config', 'domains', 'data', 'models', 'engine', 'interchange'],
  report: ['base', 'config'],
  studies: ['base', 'config', 'domains', 'data', 'models', 'engine', 'report'],
  workers: ['base', 'config', 'domains', 'data', 'models', 'engine', 'interchange', 'training', 'report', 'studies'],
  cli: ['base', 'config', 'domains', 'data', 'models', 'engine', 'interchange', 'training', 'report', 'studies'],
  ui: ['base', 'config', 'domains', 'data', 'models', 'report', 'studies', 'workers'],
};
const folderOf = (layer) => (layer === 'workers' || layer === 'cli' ? layer : `src/${layer}`);

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'public/', 'screenshots/', '.cache/', '**/*.as.ts'] },
  ...tseslint.configs.recommended,
  ...svelte.configs.recommended,
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: tseslint.parser } } },
  {
    files: ['src/**/*.{ts,svelte}', 'workers/**/*.ts', 'cli/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { boundaries },
    settings: {
      // Imports name their files whole, so that Node's own resolution finds them.
      'import/resolver': { node: { extensions: ['.ts', '.svelte'] } },
      'boundaries/elements': Object.keys(below).map((layer) => ({ type: layer, pattern: folderOf(layer) })),
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          message: 'imports go downward only (ARCHITECTURE.md)',
          policies: [
            ...Object.entries(below).map(([from, to]) => ({
              from: { element: { type: from } },
              allow: { to: { element: { types: { anyOf: [from, ...to] } } } },
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
