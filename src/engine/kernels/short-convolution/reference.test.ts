import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { referenceDevice } from '../reference-executor.ts';
import { batches, batchOf, matrix, parityCase, tokens } from '../parity-case.ts';

describe('the reference of the short convolution', () => {
  it('has the gradients of its values', () => {
    const columns = 5;
    const [bcx, dBcx, out, dOut] = [tokens(3 * columns), tokens(3 * columns), tokens(columns), tokens(columns)];
    const [weight, dWeight] = [matrix(columns, 3), matrix(columns, 3)];
    const error = slopeError({
      forward: [{ kernel: 'shortConvolution', bcx, weight, out }],
      ...{ out, dOut },
      backward: [
        { kernel: 'shortConvolutionWeightGradient', dOut, bcx, dWeight },
        { kernel: 'shortConvolutionGradient', dOut, bcx, weight, dBcx },
      ],
      inputs: [
        [bcx, dBcx],
        [weight, dWeight],
      ],
      batch: batches['several rows'],
    });
    expect(error).toBeLessThan(1e-8);
  });

  it('reads what stands before in the same sequence and nothing else, the newest tap last', async () => {
    const [bcx, weight, out] = [tokens(3), matrix(1, 3), tokens(1)];
    const values = async (batch: ReturnType<typeof batchOf>) => {
      const { call, context } = parityCase('by hand', { kernel: 'shortConvolution', bcx, weight, out }, { batch });
      // B * x is 1, 2, 4, 8, 16, 32, 64, and C is 3.
      const rows = Array.from({ length: 7 }, (_, i) => [2 ** i / 4, 3, 4]).flat();
      const contents = new Map([
        [bcx.id, Float32Array.from(rows)],
        [weight.id, Float32Array.of(100, 10, 1)],
        [out.id, new Float32Array(7)],
      ]);
      return [...(await referenceDevice.run(call, contents, context)).get(out.id)!].map((value) => value / 3);
    };
    // Three tokens, then four: 4 + 10 * 2 + 100 * 1, and the second sequence begins anew.
    expect(await values(batchOf([[3], [4]]))).toEqual([1, 12, 124, 8, 96, 992, 1984]);
    // Rows 0 to 2 are there already; row 3 follows 0 and 1, rows 4 and 5 are leaves after all three, row 6 stands alone.
    const [, , , ...later] = await values(batchOf([[1, 0, 2], [1, 0, 3], [1, 0, 3], [1]], { firstRow: 3 }));
    expect(later).toEqual([8 + 20 + 100, 16 + 40 + 200, 32 + 40 + 200, 64]);
  });
});
