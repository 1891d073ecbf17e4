import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { referenceDevice } from '../reference-executor.ts';
import { batches, batchOf, matrix, parityCase, tokens } from '../parity-case.ts';

describe('the reference of the shift', () => {
  it('has the gradients of its values', () => {
    const columns = 5;
    const [x, out, dOut, dX] = [tokens(columns), tokens(columns), tokens(columns), tokens(columns)];
    const [weight, dWeight] = [matrix(3, columns), matrix(3, columns)];
    const error = slopeError({
      forward: [{ kernel: 'shift', x, weight, out }],
      ...{ out, dOut },
      backward: [
        { kernel: 'shiftWeightGradient', dOut, x, dWeight },
        { kernel: 'shiftGradient', dOut, weight, dX },
      ],
      inputs: [
        [x, dX],
        [weight, dWeight],
      ],
      batch: batches['several rows'],
    });
    expect(error).toBeLessThan(1e-8);
  });

  it('adds what stands before in the same sequence and nothing else', async () => {
    const [x, weight, out] = [tokens(1), matrix(2, 1), tokens(1)];
    const values = async (batch: ReturnType<typeof batchOf>) => {
      const { call, context } = parityCase('by hand', { kernel: 'shift', x, weight, out }, { batch });
      const contents = new Map([
        [x.id, Float32Array.of(1, 2, 4, 8, 16, 32, 64)],
        [weight.id, Float32Array.of(10, 100)],
        [out.id, new Float32Array(7)],
      ]);
      return [...(await referenceDevice.run(call, contents, context)).get(out.id)!];
    };
    // Three tokens, then four: 4 + 10 * 2 + 100 * 1, and the second sequence begins anew.
    expect(await values(batchOf([[3], [4]]))).toEqual([1, 12, 124, 8, 96, 992, 1984]);
    // Rows 0 to 2 are there already; row 3 follows 0 and 1, rows 4 and 5 are leaves after all three, row 6 stands alone.
    const [, , , ...later] = await values(batchOf([[1, 0, 2], [1, 0, 3], [1, 0, 3], [1]], { firstRow: 3 }));
    expect(later).toEqual([8 + 20 + 100, 16 + 40 + 200, 32 + 40 + 200, 64]);
  });
});
