/**
 * Compiles the WASM kernels (AssemblyScript, the files named *.as.ts) four ways: with memory that threads share or not,
 * with relaxed SIMD (fused multiply-add) or not. Nothing is done where they are newer than their sources.
 */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'src/engine/runtimes/wasm/interpreter.as.ts';
/** The tables that TypeScript and the kernels share, and what is made of them for the kernels. */
const tables = 'src/engine/wasm-kit/tables.ts';
const kernelTables = 'src/engine/wasm-kit/built/tables.as.ts';
export const folder = 'src/engine/runtimes/wasm/built';

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
  for (const path of [folder, dirname(kernelTables)]) mkdirSync(join(root, path), { recursive: true });
  const started = Date.now();
  const { tsImport } = await import('tsx/esm/api');
  writeFileSync(join(root, kernelTables), inAssemblyScript(await tsImport(`../${tables}`, import.meta.url)));
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
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .concat(join(root, tables));
}

/** The tables as an enum of operations and classes that lie over the memory. */
function inAssemblyScript({ BLOCK, HEADER_WORDS, INSTRUCTION_WORDS, instructions, runtimeBlock }) {
  const types = { address: 'usize', int: 'i32', real: 'f32' };
  const record = (name, fields) =>
    `@unmanaged export class ${name} {\n${Object.entries(fields)
      .map(([field, type]) => `  ${field}: ${types[type]};`)
      .join('\n')}\n}\n`;
  const counters = Array.from({ length: HEADER_WORDS - 1 }, (_, i) => [`claimed${i}`, 'int']);
  return [
    `// Made of ${tables} by scripts/build-kernels.mjs.\n`,
    `export const BLOCK: usize = ${BLOCK};\nexport const INSTRUCTION_BYTES: usize = ${4 * INSTRUCTION_WORDS};\n`,
    `export enum Operation { ${Object.keys(instructions).join(', ')} }\n`,
    record('RuntimeBlock', runtimeBlock),
    record('Instruction', { operation: 'int', ...Object.fromEntries(counters) }),
    ...Object.entries(instructions).map(([name, fields]) =>
      record(`${name[0].toUpperCase()}${name.slice(1)} extends Instruction`, fields),
    ),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels();
