import * as v from 'valibot';
import { Budget } from '../base/budget.ts';
import { jsonValue } from '../base/json.ts';
import { issueText } from '../config/issue-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { storedStudies, type StoredStudy } from './studies.ts';
import type { Assessed } from './study.ts';

/** Assessments of one study, with the games that were counted (CountedGames). */
export interface StoredAssessments {
  study: StoredStudy;
  assessments: Assessed[];
  games: unknown[];
}

function storedStudyNamed(name: unknown): Result<StoredStudy> {
  const study = storedStudies().find((one) => one.name === name);
  if (study) return ok(study);
  const names = storedStudies().map((one) => one.name);
  return fail('no-study', `There is no study ${JSON.stringify(name)} to report on; there are ${names.join(', ')}.`);
}

/** Files of before they named their study are told by a field that only its assessments have. */
const OLDER: readonly [field: string, study: string][] = [
  ['legalVerbs', 'splat'],
  ['sets', 'testbed'],
];

/**
 * The assessments of a file: an object with a list of them under `assessments`, a list, or one; each as it is or as a
 * device keeps it. The file, or its first record, names the study; older ones are known by their fields. Fails with
 * `bad-assessment`, naming file and field.
 */
export function parseAssessments(text: string, name: string): Result<StoredAssessments> {
  const wrong = (message: string) =>
    fail('bad-assessment', `${name}: ${message}. Make the file again with the command or the page that wrote it.`, {
      file: name,
    });
  const json = jsonValue(text, new Budget(name));
  if (!json.ok) return wrong(json.error.message);
  const { value } = json;
  const list = listOf(value);
  if (list === null) return wrong('there is no list of assessments in it');
  const assessments = list.map((one) => field(one, 'assessment') ?? one);
  const study = storedStudyNamed(field(value, 'study') ?? field(list[0], 'study') ?? olderStudy(assessments[0]));
  if (!study.ok) return fail(study.error.code, `${name}: ${study.error.message}`, { file: name });
  const { schema, games } = study.value.stored;
  // SPLAT's older files have `data`; the testbed's have one set of games, or null.
  const key = field(value, 'data') === undefined ? 'games' : 'data';
  const given = field(value, key) ?? [];
  const facts = games?.schema ?? v.unknown();
  const parsed = v.safeParse(
    v.object({ assessments: v.array(schema), [key]: Array.isArray(given) ? v.array(facts) : facts }),
    { assessments, [key]: given },
  );
  if (!parsed.success) return wrong(issueText(parsed.issues, 'the file'));
  const output = parsed.output as { assessments: Assessed[] } & Record<string, unknown>;
  return ok({ study: study.value, assessments: output.assessments, games: [output[key]].flat() });
}

/** What a file keeps of assessments, to be written as JSON. One set of games is written as itself. */
export function assessmentsFile({ study, assessments, games }: StoredAssessments): object {
  return { study: study.name, assessments, games: games.length > 1 ? games : (games[0] ?? null) };
}

function listOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  const inside = field(value, 'splat') ?? field(value, 'assessments');
  if (inside !== undefined) return Array.isArray(inside) ? inside : null;
  return (field(value, 'subject') ?? field(value, 'assessment')) ? [value] : null;
}

function olderStudy(assessment: unknown): string {
  return OLDER.find(([name]) => Array.isArray(field(assessment, name)))?.[1] ?? 'testbed';
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
