import type { CallContext } from '../../plan/kernel-device.ts';
import type { GatedUnit, GatedUnitGradient } from '../../plan/plan.ts';
import { valuesOf, type ReferenceContents } from '../reference.ts';

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

export function gatedUnitReference(call: GatedUnit, contents: ReferenceContents, { batch }: CallContext): void {
  const width = call.out.columns;
  const gateUp = valuesOf(contents, call.gateUp);
  const out = valuesOf(contents, call.out);
  for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
    for (let c = 0; c < width; c++) {
      const [gate, up] = [gateUp[row * 2 * width + c], gateUp[row * 2 * width + width + c]];
      out[row * width + c] = gate * sigmoid(gate) * up;
    }
}

export function gatedUnitGradientReference(
  call: GatedUnitGradient,
  contents: ReferenceContents,
  { batch }: CallContext,
): void {
  const width = call.dOut.columns;
  const gateUp = valuesOf(contents, call.gateUp);
  const dOut = valuesOf(contents, call.dOut);
  const dGateUp = valuesOf(contents, call.dGateUp);
  for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
    for (let c = 0; c < width; c++) {
      const [gate, up] = [gateUp[row * 2 * width + c], gateUp[row * 2 * width + width + c]];
      const [d, open] = [dOut[row * width + c], sigmoid(gate)];
      dGateUp[row * 2 * width + c] = d * up * open * (1 + gate * (1 - open));
      dGateUp[row * 2 * width + width + c] = d * gate * open;
    }
}
