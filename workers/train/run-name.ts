import type { RunConfig } from '../../src/config/run-config.ts';

const kinds: Record<RunConfig['model']['kind'], string> = {
  gpt2: '',
  qwen3: 'Modern ',
  lstm: 'LSTM ',
  reformer: 'Reformer ',
  performer: 'Performer ',
};

/** "4 x 64, rap:15, seed 1"; kinds other than GPT-2 are named. */
export function runName({ model, notation, objective, seed }: RunConfig): string {
  const towards = objective === 'valid' ? ', all valid' : '';
  return `${kinds[model.kind]}${model.layers} x ${model.width}, ${notation}${towards}, seed ${seed}`;
}
