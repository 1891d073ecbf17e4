import { batchOf, parityCase, tokens, type ParityCase } from '../parity-case.ts';

export function crossEntropyCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const vocabulary of [2, 77, 144, 1024, 4390])
    for (const [at, lengths] of [
      ['one token', [1]],
      ['several rows', [13, 1, 19, 2, 7]],
      ['long rows', [69, 1, 33]],
    ] as const)
      for (const deviation of [1, 20]) {
        const batch = batchOf(
          lengths.map((length) => [length]),
          { vocabulary },
        );
        if (at === 'one token') Object.assign(batch, { targets: Int32Array.of(vocabulary - 1), targetCount: 1 });
        const logits = tokens(vocabulary);
        const name = `vocabulary ${vocabulary}, ${at}, logits of deviation ${deviation}`;
        const fill: [typeof logits, (random: { normal(): number }) => number][] = [
          [logits, (random) => deviation * random.normal()],
        ];
        list.push(parityCase(name, { kernel: 'crossEntropy', logits, loss: tokens(1) }, { batch, fill }));
      }
  return list;
}
