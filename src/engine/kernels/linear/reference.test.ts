import { describe, expect, it } from 'vitest';
import { slopeError } from '../../../../fixtures/parity/slopes.ts';
import type { LinearGradient, WeightGradient } from '../../plan/plan.ts';
import { batches, matrix, tokens } from '../parity-case.ts';

describe('the reference of linear', () => {
  it.each([false, true])('has the gradients of its values, transposed: %s', (transposed) => {
    const weights = () => (transposed ? matrix(7, 6) : matrix(6, 7));
    const [x, weight, bias, bias2, residual] = [tokens(6), weights(), matrix(1, 7), matrix(1, 7), tokens(7)];
    const [dX, dWeight, dBias, dBias2] = [tokens(6), weights(), matrix(1, 7), matrix(1, 7)];
    const [out, dOut] = [tokens(7), tokens(7)];
    const absent = { activation: null, before: null } as const;
    const error = slopeError({
      forward: [{ kernel: 'linear', x, weight, transposed, bias, bias2, residual, out, ...absent }],
      ...{ out, dOut },
      backward: [
        { kernel: 'weightGradient', x, dOut, transposed, dWeight, dBias, dBias2 },
        { kernel: 'linearGradient', dOut, weight, transposed, before: null, dX },
      ],
      inputs: [
        [x, dX],
        [weight, dWeight],
        [bias, dBias],
        [bias2, dBias2],
        [residual, dOut],
      ],
      batch: batches['one row'],
    });
    expect(error).toBeLessThan(1e-8);
  });

  it('has the gradients of its values through GELU and a second product', () => {
    const [x, first, before, wide, second] = [tokens(6), matrix(6, 9), tokens(9), tokens(9), matrix(9, 5)];
    const [out, dOut, dBefore, dX] = [tokens(5), tokens(5), tokens(9), tokens(6)];
    const [dFirst, dSecond] = [matrix(6, 9), matrix(9, 5)];
    const bare = { kernel: 'linear', transposed: false, bias: null, bias2: null, residual: null } as const;
    const weightGradient = (inputs: typeof x, dOut: typeof x, dWeight: typeof x): WeightGradient => {
      return { kernel: 'weightGradient', x: inputs, dOut, transposed: false, dWeight, dBias: null, dBias2: null };
    };
    const inputGradient = (dOut: typeof x, weight: typeof x, before: typeof x | null, dX: typeof x): LinearGradient => {
      return { kernel: 'linearGradient', dOut, weight, transposed: false, before, dX };
    };
    const error = slopeError({
      forward: [
        { ...bare, x, weight: first, activation: 'gelu', before, out: wide },
        { ...bare, x: wide, weight: second, activation: null, before: null, out },
      ],
      ...{ out, dOut },
      backward: [
        weightGradient(wide, dOut, dSecond),
        inputGradient(dOut, second, before, dBefore),
        weightGradient(x, dBefore, dFirst),
        inputGradient(dBefore, first, null, dX),
      ],
      inputs: [
        [x, dX],
        [first, dFirst],
        [second, dSecond],
      ],
      batch: batches['one row'],
    });
    expect(error).toBeLessThan(1e-8);
  });
});
