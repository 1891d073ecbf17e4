import type { References } from '../reference.ts';

export const crossEntropyReferences: References<'crossEntropy'> = {
  crossEntropy({ logits, loss }, call, { batch }) {
    const vocabulary = call.logits.columns;
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
      const wanted = set && weight === 0 ? set : new Set([target]);
      const chance = (v: number): number => Math.exp(values[v] - logSum);
      let right = 0;
      for (const v of wanted) right += (logSum - values[v]) / wanted.size;
      let ofSet = set && weight > 0 ? 0 : 1;
      if (weight > 0) for (const v of set!) ofSet += chance(v);
      ofSet = Math.max(1e-30, ofSet);
      loss[row] = right - weight * Math.log(ofSet);
      const slopes = values.map((_, v) => {
        const excess = chance(v) - (wanted.has(v) ? 1 / wanted.size : 0);
        return excess + weight * (chance(v) - (set?.has(v) ? chance(v) / ofSet : 0));
      });
      for (let v = 0; v < vocabulary; v++) values[v] = slopes[v] / batch.targetCount;
    }
  },
};

/** The tokens of a set, from its words. */
function membersOf(words: Int32Array): Set<number> {
  const members = new Set<number>();
  for (let v = 0; v < 32 * words.length; v++) if ((words[v >> 5] >>> (v & 31)) & 1) members.add(v);
  return members;
}
