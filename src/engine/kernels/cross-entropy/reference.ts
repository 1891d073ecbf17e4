import type { CallContext } from '../../plan/kernel-device.ts';
import type { CrossEntropy } from '../../plan/plan.ts';
import { valuesOf, type ReferenceContents } from '../reference.ts';

export function crossEntropyReference(call: CrossEntropy, contents: ReferenceContents, { batch }: CallContext): void {
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
    const words = Math.ceil(vocabulary / 32);
    const set = batch.valid && membersOf(batch.valid.subarray(n * words, (n + 1) * words));
    const weight = set ? batch.validWeight : 0;
    const wanted = set && weight === 0 ? set : [target];
    const chance = (v: number): number => Math.exp(values[v] - logSum);
    const ofSet =
      set && weight > 0
        ? Math.max(
            1e-30,
            set.reduce((sum, v) => sum + chance(v), 0),
          )
        : 1;
    loss[row] = wanted.reduce((sum, v) => sum + (logSum - values[v]) / wanted.length, 0) - weight * Math.log(ofSet);
    const slopes = values.map((_, v) => {
      const excess = chance(v) - (wanted.includes(v) ? 1 / wanted.length : 0);
      return excess + weight * (chance(v) - (set?.includes(v) ? chance(v) / ofSet : 0));
    });
    for (let v = 0; v < vocabulary; v++) values[v] = slopes[v] / batch.targetCount;
  }
}

/** The tokens of a set, from its words. */
function membersOf(words: Int32Array): number[] {
  return Array.from({ length: 32 * words.length }, (_, v) => v).filter((v) => (words[v >> 5] >>> (v & 31)) & 1);
}
