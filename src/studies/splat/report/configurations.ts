import { MODEL_KINDS, type ModelKindName } from '../../../config/model-schema.ts';
import { TEXT } from '../../../domains/text-notation.ts';
import { alikeRuns, type AlikeRuns } from '../../alike-runs.ts';
import type { SplatAssessment } from '../splat-assessment.ts';
import { modelShape } from '../../model-labels.ts';
import { count, millions } from '../../../report/labels.ts';
import type { SplatPaperRow, Start } from '../published/tables.ts';

/** Runs of one game that differ in nothing the tables know but their seeds. */
export interface SplatConfiguration extends AlikeRuns<SplatAssessment> {
  domain: string;
  family: 'transformer' | 'lstm' | 'text' | 'other';
  start: Start;
}

/** The paper's architecture of each family of kinds; a model that reads text stands beside its GPT-2. */
export const architectureOf = (model: { kind: ModelKindName; notation: string }): SplatConfiguration['family'] =>
  model.notation === TEXT ? 'text' : ARCHITECTURES[MODEL_KINDS[model.kind].family];

const ARCHITECTURES = { transformer: 'transformer', recurrent: 'lstm', 'approximate transformer': 'other' } as const;

/** Runs grouped in the order of their first ones. Of a record there are no answers to average. */
export function splatConfigurations(assessments: readonly SplatAssessment[]): SplatConfiguration[] {
  const apart = ({ domain, recorded }: SplatAssessment, index: number) => [domain, recorded ? index : null];
  return alikeRuns(assessments, apart).map((alike) => ({
    ...alike,
    domain: alike.runs[0].assessment.domain,
    family: architectureOf(alike.subject),
    start: alike.subject.fineTuning?.start ?? 'games alone',
  }));
}

/** Whether a configuration is of the paper's architecture and came to answer as it did; its size is left aside. */
export function isLikeRow(
  { family, start }: Pick<SplatConfiguration, 'family' | 'start'>,
  row: Pick<SplatPaperRow, 'family' | 'start'>,
): boolean {
  return family === row.family && start === row.start;
}

const starts: Record<Start, string> = {
  'games alone': 'games alone',
  'pre-trained weights': 'fine-tuned',
  'random weights': 'questions from random weights',
};

/** "LSTM 2 x 512, 8.7 million parameters, fine-tuned". */
export function modelLabel(one: SplatConfiguration): string {
  return `${modelShape(one.subject)}, ${millions(one.subject.parameters)} parameters, ${one.family === 'text' && one.start === 'games alone' ? 'text alone' : starts[one.start]}`;
}

/** "tiny 2: LSTM 2 x 512". */
export function runLabel(one: SplatConfiguration): string {
  return `${one.name}: ${modelShape(one.subject)}`;
}

/** As the paper would call a model that it has no row of. */
export function modelName({ family, start, subject }: SplatConfiguration): string {
  const model = family === 'transformer' ? 'TLM' : MODEL_KINDS[subject.kind].title;
  return `${model} ${{ 'games alone': 'Pretrained', 'pre-trained weights': 'Finetuned', 'random weights': 'Randomized' }[start]}`;
}

/** "28,501 games of the embedded set". */
export function gamesLabel({ subject: { trainGames, games } }: SplatConfiguration): string {
  const many = trainGames === null ? 'an unknown number of games' : `${count(trainGames)} games`;
  return games === '' ? many : `${many} of ${games}`;
}
