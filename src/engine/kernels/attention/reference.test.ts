import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { batches, tokens } from '../parity-case.ts';

describe('the reference of attention', () => {
  it.each([
    [null, null],
    [3, null],
    [null, { rate: 0.3, site: 1 }],
    [3, { rate: 0.3, site: 1 }],
  ])('has the gradients of its values within window %s under dropout %o', (window, dropout) => {
    const [heads, d] = [2, 6];
    const [qkv, dQkv, out, dOut, logSum] = [tokens(3 * d), tokens(3 * d), tokens(d), tokens(d), tokens(heads)];
    const error = slopeError({
      forward: [{ kernel: 'attention', qkv, heads, window, out, logSum, dropout }],
      ...{ out, dOut },
      backward: [{ kernel: 'attentionGradient', qkv, heads, window, out, logSum, dOut, dQkv, dropout }],
      inputs: [[qkv, dQkv]],
      batch: batches['several rows'],
    });
    expect(error).toBeLessThan(1e-8);
  });
});
