import { batchWithHistory, matrix, namedBatches, parityCase, tokens, type ParityCase } from '../parity-case.ts';

export function shiftCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const columns of [1, 6, 20, 64, 130])
    for (const taps of [1, 3, 8]) {
      const name = `${columns} columns, ${taps} back`;
      const weight = matrix(taps, columns);
      const shift = () => ({ kernel: 'shift', x: tokens(columns), weight, out: tokens(columns) }) as const;
      list.push(parityCase(`${name}, history`, shift(), { batch: batchWithHistory }));
      for (const [at, batch] of namedBatches) {
        const full = `${name}, ${at}`;
        const [x, dOut, dX] = [tokens(columns), tokens(columns), tokens(columns)];
        list.push(
          parityCase(full, shift(), { batch }),
          parityCase(full, { kernel: 'shiftGradient', dOut, weight, dX }, { batch }),
          parityCase(full, { kernel: 'shiftWeightGradient', dOut, x, dWeight: matrix(taps, columns) }, { batch }),
        );
      }
    }
  return list;
}
