import type { MatrixBlock } from '../../../models/parameters.ts';
import { batches, matrix, parityCase, type ParityCase } from '../parity-case.ts';

/** Matrices one after the other: square, wide, tall, one row, one column, and three side by side as queries, keys and values lie. */
const blocks: Record<string, Omit<MatrixBlock, 'name'>[]> = {
  square: [block(0, 20, 20, 20)],
  wide: [block(5, 6, 24, 24)],
  tall: [block(3, 65, 12, 12)],
  'one row': [block(0, 1, 9, 9)],
  'one column': [block(0, 9, 1, 1)],
  strided: [0, 1, 2].map((part) => block(7 + 20 * part, 20, 20, 60)),
  several: [block(0, 20, 20, 20), block(400, 24, 6, 6), block(544, 6, 130, 130), block(1400, 130, 130, 130)],
};

export function muonCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const [at, ofCase] of Object.entries(blocks)) {
    const elements = Math.max(...ofCase.map(({ offset, rows, stride }) => offset + rows * stride)) + 5;
    for (const [clipNorm, weightDecay, momentum] of [
      [0, 0, 0.95],
      [1, 0.1, 0.85],
    ]) {
      const [gradients, norm] = [matrix(1, elements), matrix(1, 2)];
      const [weights, first] = [matrix(1, elements), matrix(1, elements)];
      const named = ofCase.map((own, i) => ({ ...own, name: `matrix ${i}` }));
      list.push(
        parityCase(
          `${at}, ${clipNorm > 0 ? 'clipped' : 'unclipped'}, decay ${weightDecay}`,
          { kernel: 'muon', weights, gradients, first, norm, blocks: named },
          {
            batch: batches['one token'],
            optimizer: { clipNorm, muon: { learningRate: 0.1, momentum, weightDecay } },
            after: [{ kernel: 'gradientNorm', gradients, norm }],
            fill: [[weights, (random) => 0.1 * random.normal()]],
          },
        ),
      );
    }
  }
  return list;
}

function block(offset: number, rows: number, columns: number, stride: number): Omit<MatrixBlock, 'name'> {
  return { offset, rows, columns, stride, outputs: rows, inputs: columns };
}
