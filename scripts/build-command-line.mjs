/**
 * Bundles the command line into cli/built: a command starts three to five times as fast as from its TypeScript. A checkout
 * whose sources are newer than the bundle runs the TypeScript, so that an edit needs no build.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildKernels } from './build-kernels.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'cli/main.ts';
const folder = 'cli/built';
const program = 'main.mjs';

export async function buildCommandLine() {
  if (isBuilt()) return;
  const { build } = await import('vite');
  await build({
    ...{ root, configFile: false, publicDir: false, logLevel: 'warn' },
    plugins: [sourceAddresses, programOnce],
    build: {
      ...{ ssr: source, outDir: folder, emptyOutDir: true, target: 'node20' },
      rolldownOptions: { output: { entryFileNames: program, chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
}

/** Address of the program to import in a checkout. Kernels are compiled, and TypeScript is made readable, where needed. */
export async function commandLineProgram() {
  await buildKernels();
  if (isBuilt()) return pathToFileURL(join(root, folder, program)).href;
  const { register } = await import('tsx/esm/api');
  register();
  return pathToFileURL(join(root, source)).href;
}

function isBuilt() {
  const path = join(root, folder, program);
  if (!existsSync(path)) return false;
  const built = statSync(path).mtimeMs;
  return ['package.json', 'cli', 'src'].every((name) => newest(join(root, name)) < built);
}

/** Milliseconds of the newest TypeScript in a folder, or of a file. */
function newest(path) {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  const files = readdirSync(path, { withFileTypes: true, recursive: true }).filter(
    ({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.as.ts'),
  );
  return Math.max(...files.map((file) => statSync(join(file.parentPath ?? file.path, file.name)).mtimeMs));
}

/** Files that a module names beside itself are found from the bundle, too. */
const sourceAddresses = {
  name: 'source-addresses',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
    const path = relative(join(root, folder), id).split(sep).join('/');
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url)`);
  },
};

/** A command that imported the program would wait for what waits for it. */
const programOnce = {
  name: 'program-once',
  generateBundle(_options, bundle) {
    for (const { fileName, imports = [] } of Object.values(bundle))
      if (imports.includes(program)) this.error(`${fileName} imports the program that imports it`);
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildKernels();
  await buildCommandLine();
}
