import { MODEL_KINDS } from '../config/model-schema.ts';
import { taughtIn } from '../config/objectives.ts';
import { count, millions } from '../report/labels.ts';
import type { AssessedModel } from './subject-schema.ts';

/** "UCI + RAP 15"; RAP 0 has never seen a piece name. Null where moves are no squares. */
export function notationLabel(notation: string): string | null {
  if (notation === 'ap') return 'UCI + AP';
  if (notation === 'uci' || notation === 'rap:0') return 'UCI';
  return notation.startsWith('rap:') ? `UCI + RAP ${notation.slice('rap:'.length)}` : null;
}

/** "GPT-2 4 x 128" */
export function modelShape({ kind, layers, width }: Pick<AssessedModel, 'kind' | 'layers' | 'width'>): string {
  return `${MODEL_KINDS[kind].title} ${layers} x ${width}`;
}

/** A model in a line: "GPT-2 4 x 128, UCI, 0.8 million parameters, 6,000 steps, 28,501 games, seed 1". */
export function modelSummary(model: AssessedModel): string {
  const { notation, parameters, fineTuning, steps, trainGames, seed } = model;
  return [
    `${modelShape(model)}`,
    notationLabel(notation),
    taughtIn(model),
    `${millions(parameters)} parameters`,
    fineTuning ? (fineTuning.start === 'pre-trained weights' ? 'fine-tuned' : 'questions from random weights') : null,
    `${count(steps)} steps`,
    trainGames === null ? null : `${count(trainGames)} games`,
    `seed ${seed}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}
