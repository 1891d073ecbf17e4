import { seededRandom } from '../../../base/random.ts';
import type { PackedBatch } from '../../plan/pack.ts';
import { batchOf, parityCase, tokens, type ParityCase } from '../parity-case.ts';

export function crossEntropyCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const vocabulary of [2, 77, 144, 1024, 4390])
    for (const [at, lengths] of [
      ['one token', [1]],
      ['several rows', [13, 1, 19, 2, 7]],
      ['long rows', [69, 1, 33]],
    ] as const)
      for (const [deviation, share, weight] of [
        [1, null, 0],
        [20, null, 0],
        [1, 0.1, 0],
        [20, 0.9, 0],
        [3, 0.3, 2],
      ] as const) {
        const batch = batchOf(
          lengths.map((length) => [length]),
          { vocabulary },
        );
        if (at === 'one token') Object.assign(batch, { targets: Int32Array.of(vocabulary - 1), targetCount: 1 });
        if (share !== null) Object.assign(batch, { valid: validSets(batch, vocabulary, share), validWeight: weight });
        const logits = tokens(vocabulary);
        const sets = share === null ? '' : `, ${weight > 0 ? 'within' : 'towards'} about ${share} of all tokens`;
        const name = `vocabulary ${vocabulary}, ${at}, logits of deviation ${deviation}${sets}`;
        const fill: [typeof logits, (random: { normal(): number }) => number][] = [
          [logits, (random) => deviation * random.normal()],
        ];
        list.push(parityCase(name, { kernel: 'crossEntropy', logits, loss: tokens(1) }, { batch, fill }));
      }
  return list;
}

/** For each target a set of its own that has it: that share of the tokens, drawn at random; in some rows it alone. */
export function validSets({ count, targets }: PackedBatch, vocabulary: number, share: number): Int32Array {
  const words = Math.ceil(vocabulary / 32);
  const sets = new Int32Array(count * words);
  const random = seededRandom('valid sets', vocabulary, share);
  for (let n = 0; n < count; n++)
    for (let v = 0; v < vocabulary; v++)
      if (v === targets[n] || (n % 4 > 0 && random.next() < share)) sets[n * words + (v >> 5)] |= 1 << (v & 31);
  return sets;
}
