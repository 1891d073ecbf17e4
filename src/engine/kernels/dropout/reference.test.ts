import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { batches, tokens } from '../parity-case.ts';

describe('the reference of dropout', () => {
  it('has the gradients of its values', () => {
    const [x, residual, out, dOut, dX] = [tokens(6), tokens(6), tokens(6), tokens(6), tokens(6)];
    const dropout = { rate: 0.3, site: 2 };
    const error = slopeError({
      forward: [{ kernel: 'dropout', x, residual, out, dropout }],
      ...{ out, dOut },
      backward: [{ kernel: 'dropout', x: dOut, residual: null, out: dX, dropout }],
      inputs: [
        [x, dX],
        [residual, dOut],
      ],
      batch: batches['several rows'],
    });
    expect(error).toBeLessThan(1e-8);
  });
});
