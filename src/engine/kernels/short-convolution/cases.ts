import { batchWithHistory, matrix, namedBatches, parityCase, tokens, type ParityCase } from '../parity-case.ts';

export function shortConvolutionCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const columns of [1, 6, 20, 64, 130])
    for (const taps of [1, 3, 8]) {
      const name = `${columns} columns, ${taps} taps`;
      const [bcx, weight] = [tokens(3 * columns), matrix(columns, taps)];
      const convolution = () => ({ kernel: 'shortConvolution', bcx, weight, out: tokens(columns) }) as const;
      list.push(parityCase(`${name}, history`, convolution(), { batch: batchWithHistory }));
      for (const [at, batch] of namedBatches) {
        const full = `${name}, ${at}`;
        const dOut = tokens(columns);
        const [dBcx, dWeight] = [tokens(3 * columns), matrix(columns, taps)];
        list.push(
          parityCase(full, convolution(), { batch }),
          parityCase(full, { kernel: 'shortConvolutionGradient', dOut, bcx, weight, dBcx }, { batch }),
          parityCase(full, { kernel: 'shortConvolutionWeightGradient', dOut, bcx, dWeight }, { batch }),
        );
      }
    }
  return list;
}
