import { readFileSync } from 'node:fs';

/** Processors without AVX, by OpenBLAS' names for its kernels. */
const BEFORE_AVX = ['generic', 'p5', 'p6', 'katmai', 'coppermine', 'northwood', 'prescott', 'banias', 'yonah'].concat(
  ['core2', 'penryn', 'dunnington', 'nehalem', 'atom', 'nano', 'athlon', 'opteron', 'opteron_sse3'],
  ['barcelona', 'bobcat', 'unknown'],
);

/**
 * Why a side whose OpenBLAS runs the kernels of `core` must not be measured, in words; null where it may. OpenBLAS takes
 * very old ones where a virtual machine hides its processor's name, several times slower than those that fit.
 */
export function oldKernels(core: string, flags: ReadonlySet<string>): string | null {
  if (!flags.has('avx2') || !BEFORE_AVX.includes(core.toLowerCase())) return null;
  const better = flags.has('avx512f') ? 'SkylakeX' : 'Haswell';
  return `its OpenBLAS does not know this processor and runs the kernels of "${core}", which are several times too slow; run again with OPENBLAS_CORETYPE=${better}`;
}

/** What the processor says it can do; nothing where the system does not tell (it does on Linux). */
export function processorFlags(): ReadonlySet<string> {
  try {
    const [, flags] = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
    return new Set(flags?.trim().split(/\s+/));
  } catch {
    return new Set();
  }
}
