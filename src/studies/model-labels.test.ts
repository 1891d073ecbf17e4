import { expect, it } from 'vitest';
import { subject } from '../../fixtures/hand-made.ts';
import { modelSummary } from './model-labels.ts';

it('tells a model in a line: what it is, how moves are written, how it learned', () => {
  expect(modelSummary(subject)).toBe('GPT-2 4 x 128, UCI, 0.8 million parameters, 100 steps, 15,000 games, seed 1');
  expect(modelSummary({ ...subject, notation: 'rap:15', objective: 'valid', trainGames: null, seed: 3 })).toBe(
    'GPT-2 4 x 128, UCI + RAP 15, trained towards all valid tokens, 0.8 million parameters, 100 steps, seed 3',
  );
  expect(modelSummary({ ...subject, notation: 'rap:40', pieceWeight: 0.5 })).toBe(
    'GPT-2 4 x 128, UCI + RAP 40, told which piece moves, 0.8 million parameters, 100 steps, 15,000 games, seed 1',
  );
  const fineTuning = { start: 'random weights', base: null, goals: 'released' } as const;
  expect(modelSummary({ ...subject, kind: 'lstm', notation: 'splat', fineTuning })).toBe(
    'LSTM 4 x 128, 0.8 million parameters, questions from random weights, 100 steps, 15,000 games, seed 1',
  );
});
