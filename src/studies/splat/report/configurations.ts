import { MODEL_KINDS, type ModelKindName } from '../../../config/model-schema.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { TEXT } from '../../../domains/text-notation.ts';
import type { AssessedModel } from '../../testbed/assessment.ts';
import type { SplatAssessment } from '../splat-assessment.ts';
import { modelShape } from '../../model-labels.ts';
import { count, millions } from '../../../report/labels.ts';
import type { SplatPaperRow, Start } from '../published/tables.ts';

/** One assessed run; `index` is its place in the list that the report is made of. */
export interface SplatRun {
  index: number;
  assessment: SplatAssessment;
}

/** Runs of one game that differ in nothing the tables know but their seeds: one row, averaged. */
export interface SplatConfiguration {
  runs: SplatRun[];
  /** Of the first run. */
  subject: AssessedModel;
  domain: string;
  family: 'transformer' | 'lstm' | 'text' | 'other';
  start: Start;
  /** "tiny 2", "tiny 2 and 2 more seeds". */
  name: string;
}

/** The paper's architecture of each family of kinds; a model that reads text stands beside its GPT-2. */
export const architectureOf = (model: { kind: ModelKindName; notation: string }): SplatConfiguration['family'] =>
  model.notation === TEXT ? 'text' : ARCHITECTURES[MODEL_KINDS[model.kind].family];

const ARCHITECTURES = { transformer: 'transformer', recurrent: 'lstm', 'approximate transformer': 'other' } as const;

/**
 * Runs grouped in the order of their first ones. A seed that a group has already starts a group of its own, since what
 * assessments do not tell may differ.
 */
export function splatConfigurations(assessments: readonly SplatAssessment[]): SplatConfiguration[] {
  const groups: { key: string; runs: SplatRun[] }[] = [];
  for (const [index, assessment] of assessments.entries()) {
    const { seed, steps, planned, fineTuning } = assessment.subject;
    // Seeds that may end early by their scores are alike before they end, and seeds start from weights of their own.
    const alike = {
      ...assessment.subject,
      name: '',
      seed: 0,
      tokens: null,
      steps: planned ?? steps,
      fineTuning: fineTuning ? { ...fineTuning, base: null } : null,
    };
    const key = JSON.stringify([
      assessment.domain,
      Object.entries(alike).sort(([one], [other]) => (one < other ? -1 : 1)),
      // Of a record there are no answers to average.
      assessment.recorded !== undefined && index,
    ]);
    const fits = (run: SplatRun): boolean => run.assessment.subject.seed !== seed;
    const group = groups.find((one) => one.key === key && one.runs.every(fits));
    if (group) group.runs.push({ index, assessment });
    else groups.push({ key, runs: [{ index, assessment }] });
  }
  return groups.map(({ runs }) => {
    const { subject, domain } = runs[0].assessment;
    const more = runs.length - 1;
    return {
      runs,
      subject,
      domain,
      family: architectureOf(subject),
      start: subject.fineTuning?.start ?? 'games alone',
      name: more === 0 ? subject.name : `${subject.name} and ${more} more seed${more === 1 ? '' : 's'}`,
    };
  });
}

/** Whether a configuration is of the paper's architecture and came to answer as it did; its size is left aside. */
export function isLikeRow(
  { family, start }: Pick<SplatConfiguration, 'family' | 'start'>,
  row: Pick<SplatPaperRow, 'family' | 'start'>,
): boolean {
  return family === row.family && start === row.start;
}

/** "chess" as people read it: "Chess". */
export function gameTitle(domain: string): string {
  const found = domainNamed(domain);
  return found.ok ? found.value.title : domain;
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
