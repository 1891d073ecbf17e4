/**
 * Bundles the command line into cli/built: a command starts three to four times as fast as from its TypeScript. A checkout
 * whose sources are newer than the bundle runs the TypeScript, so that an edit needs no build.
 */
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildKernels } from './build-kernels.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'cli/main.ts';
const folder = 'cli/built';
const program = 'main.mjs';
/** Written last, with the time at which the build began: a file that was saved meanwhile is newer. */
const stamp = join(root, folder, 'stamp');

/** The program to import in a checkout: the bundle, or TypeScript with tsx registered. Compiles kernels where needed. */
export async function commandLineProgram() {
  await buildKernels();
  if (isBuilt()) return pathToFileURL(join(root, folder, program)).href;
  const { register } = await import('tsx/esm/api');
  register();
  return pathToFileURL(join(root, source)).href;
}

/** @param {boolean} empty whether older chunks go, which a command that runs may still have to load */
async function buildCommandLine(empty) {
  if (isBuilt()) return;
  const started = new Date();
  rmSync(stamp, { force: true });
  const { build } = await import('vite');
  await build({
    ...{ root, configFile: false, publicDir: false, logLevel: 'warn' },
    plugins: [sourceAddresses, programOnce],
    build: {
      ...{ ssr: source, outDir: folder, emptyOutDir: empty, target: 'node20' },
      rolldownOptions: { output: { entryFileNames: program, chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
  writeFileSync(stamp, '');
  utimesSync(stamp, started, started);
}

function isBuilt() {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return [fileURLToPath(import.meta.url), ...['package.json', 'cli', 'src'].map((name) => join(root, name))].every(
    (path) => newest(path) < built,
  );
}

/** Milliseconds of a file, or of the newest file in a folder that the bundle may hold. */
function newest(path) {
  if (!statSync(path).isDirectory()) return statSync(path).mtimeMs;
  const times = readdirSync(path, { withFileTypes: true }).map((entry) => {
    if (entry.isDirectory()) return ['ui', 'built'].includes(entry.name) ? 0 : newest(join(path, entry.name));
    const bundled = entry.name.endsWith('.ts') && !/\.(test|as|kernels)\.ts$/.test(entry.name);
    return bundled ? statSync(join(path, entry.name)).mtimeMs : 0;
  });
  return Math.max(0, ...times);
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

/** A chunk that imports the program would wait for it for ever: the program waits for the command in that chunk. */
const programOnce = {
  name: 'program-once',
  generateBundle(_options, bundle) {
    for (const { fileName, imports = [] } of Object.values(bundle))
      if (imports.includes(program)) this.error(`${fileName} imports the program that imports it`);
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildKernels();
  await buildCommandLine(!process.argv.includes('--keep-chunks'));
}
