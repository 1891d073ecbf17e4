import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { batchOf, matrix, tokens } from '../parity-case.ts';

describe('the reference of embed', () => {
  it.each([null, { rate: 0.3, site: 0 }])('has the gradients of its values under dropout %o', (dropout) => {
    const [words, positions, slots] = [matrix(12, 6), matrix(8, 6), matrix(3, 6)];
    const [dTokens, dPositions, dSlots] = [matrix(12, 6), matrix(8, 6), matrix(3, 6)];
    const [out, dOut] = [tokens(6), tokens(6)];
    const error = slopeError({
      forward: [{ kernel: 'embed', tokens: words, positions, slots, out, dropout }],
      ...{ out, dOut },
      backward: [{ kernel: 'embedGradient', dOut, dTokens, tied: false, dPositions, dSlots, dropout }],
      inputs: [
        [words, dTokens],
        [positions, dPositions],
        [slots, dSlots],
      ],
      batch: batchOf([[7], [1], [3]], { vocabulary: 12, slots: 3 }),
    });
    expect(error).toBeLessThan(1e-8);
  });
});
