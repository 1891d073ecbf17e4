import { expect, test } from 'vitest';
import { presets } from '../../../config/presets.ts';
import type { RunRecord } from '../../../../workers/train/protocol.ts';
import { interruptionText, statusNote } from './run-labels.ts';

test('an interruption says what is kept and what is lost', () => {
  const text = (step: number) => interruptionText({ step, config: presets[0].config });
  expect(text(0)).toMatch(/nothing of it is kept/);
  expect(text(50)).toMatch(/checkpoint of step 50 of .*after that is lost/);
});

test('a row says what is missing of its run', () => {
  const note = (run: Partial<RunRecord>) => statusNote({ status: 'stopped', step: 5, ...run } as RunRecord);
  expect(note({ status: 'lost', step: 0 })).toMatch(/checkpoints are gone/);
  expect(note({ status: 'interrupted', step: 0 })).toMatch(/nothing of it is kept/);
  expect(note({ restored: true })).toMatch(/made again/);
  expect(note({ status: 'finished', ending: 'epoch 2 is kept' })).toBe('epoch 2 is kept');
  expect(note({})).toBe('');
});
