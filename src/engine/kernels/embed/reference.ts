import { maskElement, maskKey } from '../../plan/dropout-mask.ts';
import type { CallContext } from '../../plan/kernel-device.ts';
import type { Embed, EmbedGradient } from '../../plan/plan.ts';
import { valuesOf, type ReferenceContents } from '../reference.ts';

export function embedReference(call: Embed, contents: ReferenceContents, { batch, seed }: CallContext): void {
  const columns = call.out.columns;
  const tokens = valuesOf(contents, call.tokens);
  const positions = valuesOf(contents, call.positions);
  const slots = valuesOf(contents, call.slots);
  const out = valuesOf(contents, call.out);
  for (let n = 0; n < batch.count; n++)
    for (let c = 0; c < columns; c++) {
      let sum = tokens[batch.tokens[n] * columns + c];
      if (positions) sum += positions[batch.positions[n] * columns + c];
      if (slots) sum += slots[batch.slots[n] * columns + c];
      if (call.dropout) {
        const key = maskKey(seed, call.dropout.site);
        sum *= maskElement(key, batch.padded[n] * columns + c, call.dropout.rate);
      }
      out[(batch.firstRow + n) * columns + c] = sum;
    }
}

export function embedGradientReference(
  call: EmbedGradient,
  contents: ReferenceContents,
  { batch, seed }: CallContext,
): void {
  const columns = call.dOut.columns;
  const dOut = valuesOf(contents, call.dOut);
  const dTokens = valuesOf(contents, call.dTokens);
  const dPositions = valuesOf(contents, call.dPositions);
  const dSlots = valuesOf(contents, call.dSlots);
  if (!call.tied) dTokens.fill(0);
  dPositions?.fill(0);
  dSlots?.fill(0);
  for (let n = 0; n < batch.count; n++)
    for (let c = 0; c < columns; c++) {
      let d = dOut[(batch.firstRow + n) * columns + c];
      if (call.dropout) {
        const key = maskKey(seed, call.dropout.site);
        d *= maskElement(key, batch.padded[n] * columns + c, call.dropout.rate);
      }
      dTokens[batch.tokens[n] * columns + c] += d;
      if (dPositions) dPositions[batch.positions[n] * columns + c] += d;
      if (dSlots) dSlots[batch.slots[n] * columns + c] += d;
    }
}
