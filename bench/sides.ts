import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPage } from './hosts/chromium.ts';
import { openProcess, type Line } from './hosts/process.ts';
import type { Request } from './run-side.ts';
import { oldKernels, processorFlags } from './blas-core.ts';
import { NotHere, type RunningSide } from './side.ts';
import type { Workload } from './workloads.ts';

/** A side that can be asked for by name. */
export interface SideEntry {
  name: string;
  engine: (typeof ENGINES)[number];
  /** Which stock side it is set beside: TF.js on wasm, or on WebGPU. */
  kind: 'cpu' | 'gpu';
  /** In words, for --list. */
  description: string;
  open: () => Promise<Line>;
}

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const loader = import.meta.resolve('tsx');
const cores = cpus().length;

/** Whether WebGPU and CUDA have a real card here. */
export const realGpu = existsSync('/dev/nvidia0') || existsSync('/dev/dri/renderD128');

/** Stack for Node's processes, in kilobytes: jax-js walks its unrolled LSTM by recursion, beyond the usual one megabyte. */
const STACK = '--stack-size=3900';
const inNode = async (name: string) =>
  openProcess(
    process.execPath,
    [STACK, '--import', loader, file('side-process.ts'), name],
    name.includes('webgpu') ? vulkan() : {},
  );
const inPage = (name: string) => openPage(name);

/** PyTorch: Debian's own Python first, since that is where its package puts torch. BENCH_PYTHON names another. */
const python = (threads: number, ...args: string[]) => {
  const command = process.env.BENCH_PYTHON ?? (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3');
  return async () =>
    // With spinning waits, OpenMP's threads and OpenBLAS' own take the cores from one another: 5,000 tokens a second on
    // two threads where passive waits give 13,500.
    openProcess(
      command,
      [file('peers/pytorch.py'), String(threads), ...args],
      threads > 1 ? { OMP_WAIT_POLICY: 'PASSIVE' } : {},
    );
};

const ENGINES = ['stock', 'jax-js', 'pytorch', 'blindfold'] as const;

/** A side by its name, which begins with the engine and tells what computes; `open` starts the side of a name. */
const side = (name: string, description: string, open: (name: string) => Promise<Line>): SideEntry => ({
  name,
  engine: ENGINES.find((engine) => name.startsWith(engine))!,
  kind: /webgpu|cuda/.test(name) ? 'gpu' : 'cpu',
  description,
  open: () => open(name),
});

/** Every side. */
export const sideEntries: readonly SideEntry[] = [
  side('stock-wasm', 'TF.js as it comes, WASM with SIMD, one thread', inNode),
  side('jax-js-wasm', 'jax-js, WASM, every core, in Chromium (its threads need a browser)', inPage),
  side('jax-js-wasm-1', 'jax-js, WASM, one thread, in Node', inNode),
  side('pytorch-1', 'PyTorch, one thread', python(1, 'cpu')),
  side('pytorch-2', 'PyTorch, two threads', python(2, 'cpu')),
  side('blindfold-tfjs', 'Blindfold, the reference engine on TF.js WASM, one thread', inNode),
  side('blindfold-wasm-1', 'Blindfold, compiled plan on WASM, one thread', inNode),
  side('blindfold-wasm-2', 'Blindfold, compiled plan on WASM, two threads', inNode),
  side('blindfold-wasm-page-2', 'Blindfold, compiled plan on WASM, two threads, in Chromium', inPage),
  side('stock-webgpu', 'TF.js as it comes, WebGPU, in Node', inNode),
  side('jax-js-webgpu', 'jax-js, WebGPU, in Node', inNode),
  side('blindfold-webgpu', 'Blindfold, compiled plan on WebGPU, in Node', inNode),
  side('pytorch-cuda', 'PyTorch on CUDA, eager', python(cores, 'cuda')),
  side('pytorch-cuda-compiled', 'PyTorch on CUDA, torch.compile', python(cores, 'cuda', 'compile')),
];

/** Starts a side on a workload; rejects with NotHere where this machine lacks what it needs. */
export async function openSide({ open }: SideEntry, workload: Workload): Promise<RunningSide> {
  const line = await open();
  const ask = (request: Request) => inTime(line.ask(request));
  try {
    const { threads, device, blasCore } = (await ask({ do: 'prepare', workload })) as {
      threads: number;
      device: string;
      blasCore?: string | null;
    };
    const tooOld = typeof blasCore === 'string' ? oldKernels(blasCore, processorFlags()) : null;
    if (tooOld !== null) throw new NotHere(tooOld);
    return {
      threads,
      device,
      steps: async (count) => (await ask({ do: 'steps', count })) as { losses: number[]; milliseconds: number },
      measurePeak: async () => (await ask({ do: 'peak' })).peak as number | null,
      async dispose() {
        // A side that died or hangs has nothing to put away.
        await Promise.race([line.ask({ do: 'dispose' }).catch(() => {}), sleep(5000, null, { ref: false })]);
        await line.close();
      },
    };
  } catch (error) {
    await line.close();
    throw error;
  }
}

/** jax-js compiles for half a minute, and a step on an emulated GPU takes as long. */
const LONGEST_MINUTES = 10;

/** The answer, or an error where a side hangs. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const waited = new AbortController();
  const late = sleep(LONGEST_MINUTES * 60_000, null, { signal: waited.signal }).then(() => {
    throw new Error(`no answer in ${LONGEST_MINUTES} minutes`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    late.catch(() => {});
    waited.abort();
  }
}

/**
 * The environment in which Dawn finds a Vulkan driver: the machine's own, or, where there is no card, the SwiftShader
 * and the loader that Debian's Chromium brings.
 */
function vulkan(): Record<string, string> {
  const folder = '/usr/lib/chromium';
  if (realGpu || process.env.VK_ICD_FILENAMES || !existsSync(`${folder}/vk_swiftshader_icd.json`)) return {};
  return { VK_ICD_FILENAMES: `${folder}/vk_swiftshader_icd.json`, LD_LIBRARY_PATH: folder };
}
