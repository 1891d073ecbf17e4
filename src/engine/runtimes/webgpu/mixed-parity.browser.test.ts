import { describe, expect, it } from 'vitest';
import type { ParityCase } from '../../kernels/parity-case.ts';
import { PARITY_LIMIT, parityCases, parityErrors } from '../../kernels/parity.ts';
import { runReference } from '../../kernels/run-reference.ts';
import { buffersOf } from '../../plan/layout.ts';
import { asDeviceCall } from '../../plan/fuse.ts';
import { fromHalves, toHalves } from '../../gpu-kit/halves.ts';
import { webgpuKernelDevice } from './kernel-device.ts';
import { cardShapes, emulatedShapes } from './lower.ts';
import { halvesOf, inHalves } from './precision.ts';

/** Of what is written in halves: twice the rounding of a half, since a device may also cut digits off. */
const HALF_LIMIT = 2 ** -10 + PARITY_LIMIT;

const halvesOfCall = ({ call }: ParityCase) => halvesOf(inHalves([asDeviceCall(call)]));
const rounded = (values: Float32Array) => fromHalves(toHalves(values));

/** The case with what is kept in halves rounded to them beforehand, so that only the outputs' own rounding is left. */
function roundedCase(one: ParityCase): ParityCase {
  const halves = halvesOfCall(one);
  const contents = new Map([...one.contents].map(([id, values]) => [id, halves.has(id) ? rounded(values) : values]));
  const { call } = one;
  if (call.kernel === 'attentionGradient') {
    // The log sums are those of the rounded queries and keys.
    const exact = new Map([...contents].map(([id, values]) => [id, Float64Array.from(values)]));
    runReference({ ...call, kernel: 'attention' }, exact, one.context);
    contents.set(call.logSum.id, Float32Array.from(exact.get(call.logSum.id)!));
    contents.set(call.out.id, rounded(Float32Array.from(exact.get(call.out.id)!)));
  }
  return { ...one, contents };
}

const cases = parityCases().filter((one) => halvesOfCall(one).size > 0);
const kernels = [...new Set(cases.map(({ call }) => call.kernel))];
const devices = { 'an emulation': emulatedShapes, 'a graphics card': cardShapes };

/**
 * Of a kernel's cases one that writes halves, where there are any, and one that does not: the kernels are those of full
 * precision, only memory is another.
 */
function sampleOf(kernel: string): ParityCase[] {
  const own = cases.filter(({ call }) => call.kernel === kernel);
  const writes = (one: ParityCase) =>
    buffersOf(one.call).some(({ buffer, written }) => written && halvesOfCall(one).has(buffer.id));
  const middle = (list: ParityCase[]) => list.slice(list.length / 2, list.length / 2 + 1);
  return [...middle(own.filter(writes)), ...middle(own.filter((one) => !writes(one)))];
}

describe.skipIf(!navigator.gpu).each(Object.entries(devices))(
  'halves by the kernels for %s (needs WebGPU)',
  (_, shapes) => {
    it.each(kernels)('%s agrees with its reference', async (kernel) => {
      const device = (await webgpuKernelDevice(shapes, 'mixed'))!;
      const failures: string[] = [];
      const own = sampleOf(kernel);
      for (const one of own) {
        const halves = halvesOfCall(one);
        const written = new Map(buffersOf(one.call).map(({ field, buffer }) => [field, halves.has(buffer.id)]));
        // The kernel takes the softmax's inner sum from the rounded output, the reference from what was not rounded.
        const limitOf = (field: string) =>
          written.get(field) || kernel === 'attentionGradient' ? HALF_LIMIT : PARITY_LIMIT;
        for (const { field, error } of await parityErrors(device, roundedCase(one)))
          if (!(error <= limitOf(field))) failures.push(`${one.name}: ${field} is off by ${error.toExponential(2)}`);
      }
      expect(failures.slice(0, 12), `${failures.length} outputs are off`).toEqual([]);
      expect(own.length).toBeGreaterThan(0);
    });
  },
);
