import { expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import { createEngine } from '../../create-engine.ts';
import { precisionOf } from './capabilities.ts';

const model: ModelConfig = {
  ...{ kind: 'gpt2', layers: 1, width: 8, heads: 2, context: 8, dropout: 0, vocabulary: 5 },
  ...{ window: null, slots: null, start: 'gpt2' },
};
const parameters = initialParameters(model, seededRandom('precision'));

it('an engine without mixed precision says so where it was asked for, and nothing where it was not', async () => {
  const asked = await createEngine({ backend: 'cpu', model, parameters, precision: 'mixed' });
  expect(asked.device.precision).toEqual({ used: 'full', reason: expect.stringContaining('reference engine') });
  const plain = await createEngine({ backend: 'cpu', model, parameters, precision: 'full' });
  expect(plain.device).not.toHaveProperty('precision');
  asked.dispose();
  plain.dispose();
});

it('a device that was not admitted trains in full precision, with the reason', () => {
  const reason = 'A trial on this device found gradients 3% from those of full precision, which is too far.';
  const reported = precisionOf({ capability: 'f16', admitted: false, reason, figures: null })!;
  expect(reported.used).toBe('full');
  expect(reported.reason).toContain('asked for');
  expect(reported.reason).toContain(reason);
});
