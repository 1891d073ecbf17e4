import { layersOf } from '../../src/config/model-schema.ts';
import type { RunConfig } from '../../src/config/run-config.ts';

const kinds: Record<RunConfig['model']['kind'], string> = {
  gpt2: '',
  qwen3: 'Modern ',
  lfm2: 'LFM2 ',
  lstm: 'LSTM ',
  reformer: 'Reformer ',
  performer: 'Performer ',
};

/** "4 x 64, rap:15, seed 1"; kinds other than GPT-2 are named, and of other games than chess the game. */
export function runName({ model, domain, notation, questions, objective, seed }: RunConfig): string {
  const towards = objective === 'valid' ? ', all valid' : '';
  const reads = domain === 'chess' ? notation : domain;
  const asked = questions === null ? '' : ', questions';
  return `${kinds[model.kind]}${layersOf(model)} x ${model.width}, ${reads}${asked}${towards}, seed ${seed}`;
}
