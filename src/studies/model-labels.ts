import type { RunConfig } from '../config/run-config.ts';
import { count, millions } from '../report/labels.ts';
import type { AssessedModel } from './testbed/assessment.ts';

/** How the kinds of models are called. */
export const kindTitles: Readonly<Record<RunConfig['model']['kind'], string>> = {
  gpt2: 'GPT-2',
  qwen3: 'Qwen3',
  lfm2: 'LFM2',
  lstm: 'LSTM',
  reformer: 'Reformer',
  performer: 'Performer',
};

/** "UCI + RAP 15"; RAP 0 has never seen a piece name. Null where moves are no squares. */
export function notationLabel(notation: string): string | null {
  if (notation === 'ap') return 'UCI + AP';
  if (notation === 'uci' || notation === 'rap:0') return 'UCI';
  return notation.startsWith('rap:') ? `UCI + RAP ${notation.slice('rap:'.length)}` : null;
}

/** A model in a line: "GPT-2 4 x 128, UCI, 0.8 million parameters, 6,000 steps, 28,501 games, seed 1". */
export function modelSummary(model: AssessedModel): string {
  const { kind, layers, width, notation, objective, parameters, fineTuning, steps, trainGames, seed } = model;
  return [
    `${kindTitles[kind]} ${layers} x ${width}`,
    notationLabel(notation),
    objective === 'valid' ? 'trained towards all valid tokens' : null,
    `${millions(parameters)} parameters`,
    fineTuning ? (fineTuning.start === 'pre-trained weights' ? 'fine-tuned' : 'questions from random weights') : null,
    `${count(steps)} steps`,
    trainGames === null ? null : `${count(trainGames)} games`,
    `seed ${seed}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}
