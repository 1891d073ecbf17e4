import type { Assessed } from './study.ts';
import type { AssessedModel } from './subject-schema.ts';

/** One assessed run; `index` is its place in the list that the report is made of. */
export interface AssessedRun<Assessment extends Assessed> {
  index: number;
  assessment: Assessment;
}

/** Runs that differ in nothing the tables know but their seeds: one row, averaged. */
export interface AlikeRuns<Assessment extends Assessed> {
  runs: AssessedRun<Assessment>[];
  /** Of the first run. */
  subject: AssessedModel;
  /** "tiny 2", "tiny 2 and 2 more seeds". */
  name: string;
}

/**
 * Runs grouped in the order of their first ones. A second run with a seed that its group has already starts a group of
 * its own: settings that assessments do not tell may differ, so it is no repetition.
 * @param apart what keeps runs apart beside their models; null where nothing does
 */
export function alikeRuns<Assessment extends Assessed>(
  assessments: readonly Assessment[],
  apart: (assessment: Assessment, index: number) => unknown,
): AlikeRuns<Assessment>[] {
  const groups: { key: string; runs: AssessedRun<Assessment>[] }[] = [];
  for (const [index, assessment] of assessments.entries()) {
    const { subject } = assessment;
    const key = JSON.stringify([alikeIn(subject), apart(assessment, index)]);
    const fits = (run: AssessedRun<Assessment>): boolean => run.assessment.subject.seed !== subject.seed;
    const group = groups.find((one) => one.key === key && one.runs.every(fits));
    if (group) group.runs.push({ index, assessment });
    else groups.push({ key, runs: [{ index, assessment }] });
  }
  return groups.map(({ runs }) => {
    const { subject } = runs[0].assessment;
    const more = runs.length - 1;
    const name = more === 0 ? subject.name : `${subject.name} and ${more} more seed${more === 1 ? '' : 's'}`;
    return { runs, subject, name };
  });
}

/** What the seeds of one configuration have in common. */
function alikeIn(subject: AssessedModel): object {
  const { steps, planned = null, fineTuning } = subject;
  const alike = {
    ...subject,
    ...{ name: '', seed: 0, tokens: null },
    // Seeds that may end early by their scores are alike before they end, and seeds start from weights of their own.
    ...{ planned, steps: planned ?? steps },
    fineTuning: fineTuning ? { ...fineTuning, base: null } : null,
  };
  // The order of fields is that of the file.
  return Object.fromEntries(Object.entries(alike).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const list = new Intl.ListFormat('en-GB');

/** Which rows are means over several seeds, in a sentence that `more` goes on; none where no row is. */
export function seedNotes(configurations: readonly AlikeRuns<Assessed>[], more = ''): string[] {
  const averaged = configurations.filter(({ runs }) => runs.length > 1);
  if (averaged.length === 0) return [];
  const each = averaged.map(
    ({ name, runs }) => `${name} (seeds ${list.format(runs.map(({ assessment }) => String(assessment.subject.seed)))})`,
  );
  return [
    `Means over runs that differ in the seed: ${list.format(each)}. Their least and greatest values stand with each number${more}.`,
  ];
}
