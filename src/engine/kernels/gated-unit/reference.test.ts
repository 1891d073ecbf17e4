import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { batches, tokens } from '../parity-case.ts';

describe('the reference of the gated unit', () => {
  it('has the gradients of its values', () => {
    const [gateUp, out, dOut, dGateUp] = [tokens(12), tokens(6), tokens(6), tokens(12)];
    const error = slopeError({
      forward: [{ kernel: 'gatedUnit', gateUp, out }],
      ...{ out, dOut },
      backward: [{ kernel: 'gatedUnitGradient', gateUp, dOut, dGateUp }],
      inputs: [[gateUp, dGateUp]],
      batch: batches['one row'],
    });
    expect(error).toBeLessThan(1e-8);
  });
});
