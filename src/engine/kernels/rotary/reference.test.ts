import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import { batches, matrix, tokens } from '../parity-case.ts';

describe('the reference of rotary', () => {
  it('has the gradients of its values', () => {
    const [heads, size, base] = [2, 6, 100];
    const columns = 3 * heads * size;
    const [qkv, out, dOut, dQkv, statistics] = [
      tokens(columns),
      tokens(columns),
      tokens(columns),
      tokens(columns),
      tokens(4),
    ];
    const [queryWeight, keyWeight, dQueryWeight, dKeyWeight] = [1, 2, 3, 4].map(() => matrix(1, size));
    const error = slopeError({
      forward: [{ kernel: 'rotary', qkv, heads, base, epsilon: 0.1, queryWeight, keyWeight, out, statistics }],
      ...{ out, dOut },
      backward: [
        { kernel: 'rotaryWeightGradient', dOut, qkv, heads, base, statistics, dQueryWeight, dKeyWeight },
        { kernel: 'rotaryGradient', dOut, qkv, heads, base, queryWeight, keyWeight, statistics, dQkv },
      ],
      inputs: [
        [qkv, dQkv],
        [queryWeight, dQueryWeight],
        [keyWeight, dKeyWeight],
      ],
      batch: batches['several rows'],
    });
    expect(error).toBeLessThan(1e-8);
  });
});
