import { batchWithHistory, namedBatches, parityCase, tokens, type ParityCase } from '../parity-case.ts';

export function gatedUnitCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const width of [1, 6, 20, 130, 344])
    for (const [at, batch] of [...namedBatches, ['later rows', batchWithHistory] as const]) {
      const gateUp = tokens(2 * width);
      const name = `${width} wide, ${at}`;
      // Gates far below zero, where a sigmoid written as exp(x) / (1 + exp(x)) or its like may overflow.
      const fill: [typeof gateUp, (random: { normal(): number }) => number][] = [
        [gateUp, (random) => 30 * random.normal()],
      ];
      list.push(
        parityCase(name, { kernel: 'gatedUnit', gateUp, out: tokens(width) }, { batch }),
        parityCase(`${name}, large`, { kernel: 'gatedUnit', gateUp, out: tokens(width) }, { batch, fill }),
      );
      if (at === 'later rows') continue;
      const gradient = {
        kernel: 'gatedUnitGradient',
        gateUp,
        dOut: tokens(width),
        dGateUp: tokens(2 * width),
      } as const;
      list.push(parityCase(name, gradient, { batch }), parityCase(`${name}, large`, gradient, { batch, fill }));
    }
  return list;
}
