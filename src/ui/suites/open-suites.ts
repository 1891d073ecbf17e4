import { fail, failureOf, ok, type Result } from '../../base/result.ts';
import { parseAssessments } from '../../studies/assessments-file.ts';
import { suiteFromPairs } from '../../studies/syntaxgym/formats/blimp.ts';
import { suiteFromCsv } from '../../studies/syntaxgym/formats/csv.ts';
import { suitesIn } from '../../studies/syntaxgym/shipped.ts';
import { suitesOfAssessments } from '../../studies/syntaxgym/stored-readings.ts';
import { syntaxgym, type SyntaxGymAssessment } from '../../studies/syntaxgym/study.ts';
import { withoutSurprisals } from '../../studies/syntaxgym/edit-suite.ts';
import type { Suite } from '../../studies/syntaxgym/suite.ts';

/** What a page has memory and patience for; the command line reads larger ones. */
export const LARGEST = 32e6;
const MOST_ITEMS = 20_000;
const FORMS = 'a suite as JSON, items as CSV, or minimal pairs as JSON Lines';

/** What a file held: suites, and what models answered where it was shared with its results. */
export interface OpenedSuites {
  suites: Suite[];
  assessments: SyntaxGymAssessment[];
}

export async function readSuiteFile(file: Pick<File, 'name' | 'size' | 'text'>): Promise<Result<OpenedSuites>> {
  if (file.size > LARGEST)
    return fail(
      'too-large',
      `${file.name} has ${file.size > LARGEST * 2 ? `${Math.round(file.size / 1e6)} MB` : 'too many bytes'}; the page reads suites of up to ${LARGEST / 1e6} MB. Split it, or use the command line.`,
    );
  try {
    return suitesOfText(await file.text(), file.name);
  } catch (error) {
    return fail('not-read', `${file.name} could not be read (${failureOf(error).message}). Choose it again.`);
  }
}

/** The suites of a text in any of the forms that suites have. */
export function suitesOfText(text: string, name: string): Result<OpenedSuites> {
  const begin = text.replace(/^\uFEFF/, '').trimStart();
  if (begin === '') return fail('empty-file', `${name}: the file is empty; give ${FORMS}.`);
  const [first] = begin.slice(0, 10_000).split('\n', 1);
  const items = occurrences(text, begin.startsWith('{') || begin.startsWith('[') ? '"item_number"' : '\n');
  const isTable = /(^|,)"?item_number"?(,|\s*$)/.test(first);
  if (items > (isTable ? 20 : 1) * MOST_ITEMS)
    return fail(
      'too-many-items',
      `${name} has more than ${MOST_ITEMS} items. Split the suite, or evaluate it on the command line.`,
    );
  if (isTable) return alone(suiteFromCsv(text, name));
  if (/^\{.*"sentence_good"/.test(first)) return alone(suiteFromPairs(text, name));
  if (/^\s*\{\s*"study"/.test(begin)) return shared(text, name);
  if (!/^[{[]/.test(begin)) return fail('no-suite', `${name} is no suite; give ${FORMS}.`);
  const suites = suitesIn(text, name);
  return suites.ok ? ok({ suites: suites.value.map(withoutSurprisals), assessments: [] }) : suites;
}

const alone = (suite: Result<Suite>): Result<OpenedSuites> =>
  suite.ok ? ok({ suites: [suite.value], assessments: [] }) : suite;

/** Suites with their results, as this page and the command line save them. */
function shared(text: string, name: string): Result<OpenedSuites> {
  const stored = parseAssessments(text, name);
  if (!stored.ok) return stored;
  if (stored.value.study.name !== syntaxgym.name)
    return fail('no-suite', `${name} holds results of another kind (${stored.value.study.title}), not of suites.`);
  const assessments = stored.value.assessments as SyntaxGymAssessment[];
  return ok({ suites: suitesOfAssessments(assessments), assessments });
}

/** How often a string occurs, counted no further than is of interest. */
function occurrences(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0 && found <= 20 * MOST_ITEMS; at = text.indexOf(part, at + 1)) found++;
  return found;
}
