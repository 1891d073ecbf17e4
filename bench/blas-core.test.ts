import { expect, it } from 'vitest';
import { oldKernels } from './blas-core.ts';

const modern = new Set(['sse3', 'avx', 'avx2']);

it('refuses kernels that are older than the processor, and says what mends it', () => {
  expect(oldKernels('Prescott', modern)).toContain('"Prescott"');
  expect(oldKernels('Prescott', modern)).toMatch(/run again with OPENBLAS_CORETYPE=Haswell$/);
  expect(oldKernels('Nehalem', new Set([...modern, 'avx512f']))).toMatch(/OPENBLAS_CORETYPE=SkylakeX$/);
  expect(oldKernels('generic', modern)).not.toBeNull();
});

it('takes kernels that fit, and old ones on a processor that has no better', () => {
  for (const core of ['Haswell', 'SkylakeX', 'Zen', 'Cooperlake', 'SapphireRapids', 'Sandybridge'])
    expect(oldKernels(core, modern)).toBeNull();
  expect(oldKernels('Prescott', new Set(['sse3']))).toBeNull();
});
