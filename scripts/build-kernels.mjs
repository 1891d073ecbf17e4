/**
 * Compiles the WASM kernels (AssemblyScript, the files named *.as.ts) four ways: with memory that threads share or not,
 * with relaxed SIMD (fused multiply-add) or not. Nothing is done where they are newer than their sources.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'src/engine/wasm/kernels/interpreter.as.ts';
export const folder = 'src/engine/wasm/kernels/built';

const variants = [
  { name: 'plain', options: [] },
  { name: 'plain-shared', options: ['--sharedMemory'] },
  { name: 'relaxed', options: ['--enable', 'relaxed-simd'] },
  { name: 'relaxed-shared', options: ['--enable', 'relaxed-simd', '--sharedMemory'] },
];

export async function buildKernels() {
  const outputs = variants.map(({ name }) => join(root, folder, `${name}.wasm`));
  const newest = Math.max(...sources(join(root, 'src/engine')).map((path) => statSync(path).mtimeMs));
  if (outputs.every((path) => existsSync(path) && statSync(path).mtimeMs >= newest)) return;
  const { main } = await import('assemblyscript/asc');
  mkdirSync(join(root, folder), { recursive: true });
  const started = Date.now();
  for (const { name, options } of variants) {
    const { error, stderr } = await main(
      [
        source,
        ...['--outFile', `${folder}/${name}.wasm`, '--baseDir', root],
        ...['-O3', '--runtime', 'stub', '--noAssert', '--importMemory'],
        ...['--initialMemory', '4', '--maximumMemory', '65536', '--memoryBase', '65536'],
        ...['--enable', 'simd', '--enable', 'threads', '--enable', 'bulk-memory', ...options],
      ],
      {},
    );
    if (error) throw new Error(`The WASM kernels do not compile (${name}):\n${stderr.toString()}`);
  }
  console.error(`WASM kernels built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

function sources(path) {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.name.endsWith('.as.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels();
