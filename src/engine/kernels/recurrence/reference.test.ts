import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { batches, matrix, tokens } from '../parity-case.ts';

describe('the reference of the recurrence', () => {
  it('has the gradients of its values, those of its weight by way of the previous rows', () => {
    const d = 5;
    const [gates, dGates, weight, dWeight] = [tokens(4 * d), tokens(4 * d), matrix(4 * d, d), matrix(4 * d, d)];
    const [out, cells, dOut, before] = [tokens(d), tokens(d), tokens(d), tokens(d)];
    const error = slopeError({
      forward: [{ kernel: 'recurrence', gates, weight, out, cells }],
      ...{ out, dOut },
      backward: [
        { kernel: 'recurrenceGradient', truncation: null, gates, weight, cells, dOut, dGates },
        { kernel: 'previousRows', x: out, out: before },
        { kernel: 'weightGradient', x: before, dOut: dGates, transposed: true, dWeight, dBias: null, dBias2: null },
      ],
      inputs: [
        [gates, dGates],
        [weight, dWeight],
      ],
      batch: batches['several rows'],
    });
    expect(error).toBeLessThan(1e-8);
  });
});
