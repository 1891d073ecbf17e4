import { describe, expect, it } from 'vitest';
import { defaultPreset } from '../config/presets.ts';
import { whyEnded, isValidation, verdictOf } from './validation.ts';

const schedule = { ...defaultPreset.config.schedule, steps: 50, epochs: 5, patience: 1, keep: 'best' as const };
/** Evaluations at step 0 and after each epoch of ten steps; null where there is none. */
const after = (...perplexities: (number | null)[]) =>
  [90, ...perplexities].flatMap((devPerplexity, epoch) =>
    devPerplexity === null ? [] : [{ step: 10 * epoch, devPerplexity }],
  );

describe('the validations of a run', () => {
  it('are the ends of its epochs and its last step, where anything hangs on them', () => {
    const at = (steps: number, of: typeof schedule) =>
      Array.from({ length: 13 }, (_, step) => step).filter((step) => isValidation({ ...of, steps }, 5, step));
    expect(at(12, schedule)).toEqual([5, 10, 12]);
    const plain = { ...schedule, epochs: null, patience: null, keep: 'last' as const };
    expect(at(12, plain as never)).toEqual([]);
    expect(at(12, { ...plain, patience: 2 } as never)).toEqual([5, 10, 12]);
  });

  it('end a run at the first that does not improve, equal ones included', () => {
    const stops = (...values: (number | null)[]) => verdictOf(after(...values), schedule, 10);
    expect(stops()).toEqual({ best: null, since: 0, stop: false });
    expect(stops(20, 15.9)).toEqual({ best: 20, since: 0, stop: false });
    expect(stops(20, 15.9, 16.1)).toEqual({ best: 20, since: 1, stop: true });
    expect(stops(20, 20)).toMatchObject({ best: 10, stop: true });
    // One that could not be made says nothing.
    expect(stops(20, null, 15.9)).toEqual({ best: 30, since: 0, stop: false });
  });

  it('cost patience one by one, and a new lowest gives it back', () => {
    const patient = { ...schedule, patience: 2 };
    expect(verdictOf(after(20, 21, 19, 22), patient, 10)).toEqual({ best: 30, since: 1, stop: false });
    expect(verdictOf(after(20, 21, 19, 22, 23), patient, 10)).toEqual({ best: 30, since: 2, stop: true });
    expect(verdictOf(after(20, 21, 22, 23), { ...schedule, patience: null }, 10).stop).toBe(false);
  });

  it('leave out scores from between the epochs', () => {
    const evaluations = [...after(20), { step: 15, devPerplexity: 30 }, { step: 20, devPerplexity: 19 }];
    expect(verdictOf(evaluations, schedule, 10)).toEqual({ best: 20, since: 0, stop: false });
  });

  it('are told in words where they ended the run or chose its weights', () => {
    const words = (values: number[], step: number, kept: number | null, of = schedule) =>
      whyEnded(after(...values), of, 10, step, kept);
    expect(words([20, 17, 15.94, 16.1], 40, 30)).toBe(
      'dev perplexity rose from 15.9 to 16.1 in epoch 4; epoch 3 is kept',
    );
    expect(words([20, 15.91, 15.94], 30, 20)).toContain('rose from 15.91 to 15.94');
    expect(words([20, 20], 20, 10)).toContain('stayed at 20.0000 in epoch 2');
    expect(words([20, 15.9, 16.1], 30, null)).toContain('epoch 3 is kept');
    expect(words([20, 19, 21, 22], 40, 20, { ...schedule, patience: 2 })).toBe(
      'dev perplexity was lowest in epoch 2, 19.0 and did not fall below it in 2 epochs; epoch 2 is kept',
    );
    expect(words([20, 19, 21, 22, 23], 50, 20, { ...schedule, patience: 9 })).toBe(
      'dev perplexity was lowest in epoch 2, 19.0; epoch 2 is kept',
    );
    expect(words([20, 19, 18, 17, 16], 50, null)).toBeNull();
  });
});
