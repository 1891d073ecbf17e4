import type { Contents, KernelDevice } from '../plan/kernel-device.ts';
import { buffersOf } from '../plan/layout.ts';
import { adamwCases } from './adamw/cases.ts';
import { attentionCases } from './attention/cases.ts';
import { crossEntropyCases } from './cross-entropy/cases.ts';
import { dropoutCases } from './dropout/cases.ts';
import { embedCases } from './embed/cases.ts';
import { gatedUnitCases } from './gated-unit/cases.ts';
import { linearCases } from './linear/cases.ts';
import { muonCases } from './muon/cases.ts';
import { normCases } from './norm/cases.ts';
import type { ParityCase } from './parity-case.ts';
import { recurrenceCases } from './recurrence/cases.ts';
import { rotaryCases } from './rotary/cases.ts';
import { runReference } from './run-reference.ts';
import { shiftCases } from './shift/cases.ts';
import { shortConvolutionCases } from './short-convolution/cases.ts';

export type { ParityCase } from './parity-case.ts';

/** Largest error that a device may have: of each output, relative to that output's largest magnitude. */
export const PARITY_LIMIT = 1e-4;

/** Cases for every kernel on odd shapes. */
export function parityCases(): ParityCase[] {
  return [
    ...embedCases(),
    ...normCases(),
    ...linearCases(),
    ...dropoutCases(),
    ...attentionCases(),
    ...rotaryCases(),
    ...gatedUnitCases(),
    ...crossEntropyCases(),
    ...recurrenceCases(),
    ...shiftCases(),
    ...shortConvolutionCases(),
    ...adamwCases(),
    ...muonCases(),
  ];
}

/** The largest error of a device's outputs, each relative to the largest magnitude of the reference's. */
export async function checkParity(device: KernelDevice, parityCase: ParityCase): Promise<number> {
  return Math.max(...(await parityErrors(device, parityCase)).map(({ error }) => error));
}

/** As checkParity, output by output; infinite where an output is missing, too short, or not a number somewhere. */
export async function parityErrors(
  device: KernelDevice,
  { call, contents, context }: ParityCase,
): Promise<{ field: string; error: number }[]> {
  const wanted = new Map([...contents].map(([id, values]) => [id, Float64Array.from(values)]));
  runReference(call, wanted, context);
  const copies: Contents = new Map([...contents].map(([id, values]) => [id, values.slice()]));
  const found = await device.run(call, copies, context);
  return buffersOf(call)
    .filter(({ written }) => written)
    .map(({ field, buffer }) => ({ field, error: errorOf(found.get(buffer.id), wanted.get(buffer.id)!) }));
}

function errorOf(found: Float32Array | undefined, wanted: Float64Array): number {
  if (!found || found.length < wanted.length) return Infinity;
  let [largest, error] = [0, 0];
  wanted.forEach((value, i) => {
    const difference = Math.abs(found[i] - value);
    largest = Math.max(largest, Math.abs(value));
    error = Math.max(error, Number.isNaN(difference) ? Infinity : difference);
  });
  return error / (largest || 1);
}
