import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { batches, matrix, tokens } from '../parity-case.ts';

describe('the reference of norm', () => {
  it.each(['layer', 'rms'] as const)('has the gradients of its values, %s', (kind) => {
    const columns = 6;
    const [x, weight, bias] = [tokens(columns), matrix(1, columns), matrix(1, columns)];
    const [dX, dWeight, dBias] = [tokens(columns), matrix(1, columns), matrix(1, columns)];
    const [out, dOut, statistics] = [tokens(columns), tokens(columns), tokens(2)];
    const error = slopeError({
      forward: [{ kernel: 'norm', kind, epsilon: 0.1, x, weight, bias, out, statistics }],
      ...{ out, dOut },
      backward: [
        { kernel: 'normWeightGradient', dOut, x, statistics, dWeight, dBias },
        { kernel: 'normGradient', kind, dOut, x, weight, statistics, residual: null, dX },
      ],
      inputs: [
        [x, dX],
        [weight, dWeight],
        [bias, dBias],
      ],
      batch: batches['one row'],
    });
    expect(error).toBeLessThan(1e-8);
  });
});
