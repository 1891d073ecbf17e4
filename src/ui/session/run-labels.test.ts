import { expect, test } from 'vitest';
import { presets } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { folderTitle } from './run-labels.ts';

test('a folder is named by who can open it', () => {
  const titleOf = (model: object): string => folderTitle({ ...presets[0].config, model: model as RunConfig['model'] });
  expect(titleOf({ kind: 'gpt2' })).toBe('Hugging Face');
  expect(titleOf({ kind: 'qwen3', shift: 0 })).toBe('Hugging Face');
  expect(titleOf({ kind: 'qwen3', shift: 2 })).toBe('safetensors and NumPy');
  expect(titleOf({ kind: 'lstm' })).toBe('PyTorch');
});
