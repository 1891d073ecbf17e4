import { describe, expect, it } from 'vitest';
import type { KernelDevice } from '../plan/kernel-device.ts';
import { buffersOf } from '../plan/layout.ts';
import { referenceDevice } from './reference-executor.ts';
import { checkParity, PARITY_LIMIT, parityCases } from './parity.ts';

const cases = parityCases();
const kernels = [...new Set(cases.map(({ call }) => call.kernel))];
const sample = kernels.flatMap((kernel) => cases.filter(({ call }) => call.kernel === kernel).slice(0, 6));

describe('the parity check', () => {
  it('passes a device that is right', async () => {
    for (const parityCase of sample)
      expect(await checkParity(referenceDevice, parityCase), parityCase.name).toBeLessThan(1e-7);
  });

  it('fails a device that does nothing', async () => {
    const idle: KernelDevice = { name: 'idle', run: async (_call, contents) => contents };
    for (const parityCase of sample)
      expect(await checkParity(idle, parityCase), parityCase.name).toBeGreaterThan(PARITY_LIMIT);
  });

  it('fails a device that has one number wrong, or none', async () => {
    for (const wrong of [NaN, 1e4]) {
      const spoilt: KernelDevice = {
        name: 'spoilt',
        async run(call, contents, context) {
          const answers = await referenceDevice.run(call, contents, context);
          const { buffer } = buffersOf(call).findLast(({ written }) => written)!;
          answers.get(buffer.id)![answers.get(buffer.id)!.length - 1] = wrong;
          return answers;
        },
      };
      for (const parityCase of sample)
        expect(await checkParity(spoilt, parityCase), parityCase.name).toBeGreaterThan(PARITY_LIMIT);
    }
  });
});
