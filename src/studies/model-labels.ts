import type { RunConfig } from '../config/run-config.ts';

/** How the kinds of models are called. */
export const kindTitles: Readonly<Record<RunConfig['model']['kind'], string>> = {
  gpt2: 'GPT-2',
  qwen3: 'Qwen3',
  lfm2: 'LFM2',
  lstm: 'LSTM',
  reformer: 'Reformer',
  performer: 'Performer',
};
