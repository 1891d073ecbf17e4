import type { CallContext } from '../../plan/kernel-device.ts';
import type { CrossEntropy } from '../../plan/plan.ts';
import { valuesOf, type TwinContents } from '../twin.ts';

export function crossEntropyTwin(call: CrossEntropy, contents: TwinContents, { batch }: CallContext): void {
  const vocabulary = call.logits.columns;
  const logits = valuesOf(contents, call.logits);
  const loss = valuesOf(contents, call.loss);
  for (let n = 0; n < batch.count; n++) {
    const row = batch.firstRow + n;
    const values = logits.subarray(row * vocabulary, (row + 1) * vocabulary);
    const target = batch.targets[n];
    loss[row] = 0;
    if (target < 0) {
      values.fill(0);
      continue;
    }
    const most = values.reduce((a, b) => Math.max(a, b));
    let total = 0;
    for (const value of values) total += Math.exp(value - most);
    const logSum = most + Math.log(total);
    loss[row] = logSum - values[target];
    for (let v = 0; v < vocabulary; v++)
      values[v] = (Math.exp(values[v] - logSum) - (v === target ? 1 : 0)) / batch.targetCount;
  }
}
