import { maskElement, maskKey } from '../../plan/dropout-mask.ts';
import type { CallContext } from '../../plan/kernel-device.ts';
import type { DropoutCall } from '../../plan/plan.ts';
import { valuesOf, type ReferenceContents } from '../reference.ts';

export function dropoutReference(call: DropoutCall, contents: ReferenceContents, { batch, seed }: CallContext): void {
  const columns = call.x.columns;
  const x = valuesOf(contents, call.x);
  const residual = valuesOf(contents, call.residual);
  const out = valuesOf(contents, call.out);
  const key = maskKey(seed, call.dropout.site);
  for (let n = 0; n < batch.count; n++)
    for (let c = 0; c < columns; c++) {
      const at = (batch.firstRow + n) * columns + c;
      const mask = maskElement(key, batch.padded[n] * columns + c, call.dropout.rate);
      out[at] = mask * x[at] + (residual ? residual[at] : 0);
    }
}
