import { batches, matrix, parityCase, type ParityCase } from '../parity-case.ts';

export function adamwCases(): ParityCase[] {
  const list: ParityCase[] = [];
  const batch = batches['one token'];
  for (const elements of [1, 7, 1030, 70001])
    for (const clipNorm of [0, 1, 1e6]) {
      const [gradients, norm] = [matrix(1, elements), matrix(1, 2)];
      const gradientNorm = { kernel: 'gradientNorm', gradients, norm } as const;
      const name = `${elements} elements, ${clipNorm === 0 ? 'unclipped' : `clipped at ${clipNorm}`}`;
      list.push(parityCase(name, gradientNorm, { batch, optimizer: { clipNorm } }));
      const whole = [[0, elements]] as const;
      const parts =
        elements > 1000
          ? ([
              [3, 10],
              [11, 12],
              [100, 999],
            ] as const)
          : whole;
      for (const [weightDecay, step, ranges] of [
        [0, 1, whole],
        [0.1, 1, parts],
        [0.1, 1000, whole],
      ] as const) {
        const [weights, first, second] = [matrix(1, elements), matrix(1, elements), matrix(1, elements)];
        list.push(
          parityCase(
            `${name}, decay ${weightDecay}, step ${step}${ranges === whole ? '' : ', ranges'}`,
            { kernel: 'adamw', weights, gradients, first, second, norm, ranges },
            {
              batch,
              step,
              optimizer: { clipNorm, weightDecay },
              after: [gradientNorm],
              fill: [
                [weights, (random) => 0.1 * random.normal()],
                [first, (random) => 0.1 * random.normal()],
                [second, (random) => 0.1 * random.normal() ** 2],
              ],
            },
          ),
        );
      }
    }
  return list;
}
