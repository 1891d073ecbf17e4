import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { inputError, unwrap } from '../src/base/result.ts';
import { htmlPage } from '../src/report/page.ts';
import { contentOf, isMeasured, type Part, type ReportAbout } from '../src/report/report.ts';
import { assessmentsFile, parseAssessments, type StoredAssessments } from '../src/studies/assessments-file.ts';
import type { GamesSet } from '../src/studies/study.ts';
import { writeText } from './folder-store.ts';
import { report, usageError, wholeText, writeResult } from './node-io.ts';
import { trainingGames, type TrainingGames } from './training-games.ts';

/** What several files keep of one study. Fails as InputError where one is damaged, or of another study. */
export async function assessmentsOf(paths: readonly string[]): Promise<StoredAssessments> {
  const files: StoredAssessments[] = [];
  for (const path of paths) files.push(unwrap(parseAssessments(await wholeText(path), path)));
  const other = files.findIndex(({ study }) => study !== files[0].study);
  if (other > 0) {
    const message = `${paths[0]} holds assessments of ${files[0].study.title} and ${paths[other]} of ${files[other].study.title}; make a page of each.`;
    throw inputError('other-study', message);
  }
  // The same games may be counted in several files.
  const games = new Map(files.flatMap((file) => file.games.map((facts) => [JSON.stringify(facts), facts])));
  return { ...files[0], assessments: files.flatMap(({ assessments }) => assessments), games: [...games.values()] };
}

/**
 * What a study counts of the games that `--games` names, to stand for those that the files tell of, and their notice,
 * which has been told on standard error.
 */
export async function countedGames(
  stored: StoredAssessments,
  path: string,
): Promise<{ games: unknown[]; notice?: string }> {
  const { games } = stored.study.stored;
  if (games === undefined) return { games: [] };
  // The testbed's assessments are all of one game and do not name it.
  const domains = [...new Set(stored.assessments.map((one) => ('domain' in one ? String(one.domain) : undefined)))];
  if (domains.length > 1)
    throw usageError(`--games: these models read ${domains.join(' and ')}; give models of one game.`);
  const read = await trainingGames(path, { limit: null, seed: 1, domain: domains[0] });
  const facts = games.count(gamesSet(read, domains[0]));
  return { games: facts === null ? [] : [facts], notice: read.notice };
}

/** Games as a study counts them. */
export function gamesSet(games: TrainingGames, domain = 'chess'): GamesSet {
  const { name, train, dev, test, probe, notice } = games;
  return { name, domain, train, dev, test, probe, ...(notice === undefined ? {} : { notice }) };
}

/** Writes the page of a study's report, with its one line on stdout. `json`: a file that keeps what it is made of; `told`: a notice that needs no telling. */
export async function writeReport(
  stored: StoredAssessments,
  { out, json, told: printed = '', about }: { out: string; json?: string; told?: string; about: ReportAbout },
): Promise<void> {
  const { study, assessments, games } = stored;
  const made = study.stored.report(assessments as never[], games, { whole: true });
  if (json !== undefined) await writeFile(json, `${JSON.stringify(assessmentsFile(stored))}\n`);
  await mkdir(dirname(resolve(out)), { recursive: true });
  await writeText(out, htmlPage(made, about));
  const measured = made.parts.filter(isMeasured);
  const named = (kinds: Part['kind'][]): string[] =>
    kinds.flatMap((kind) => measured.filter((part) => part.kind === kind).map((part) => contentOf(part).id));
  if (made.notice !== '' && made.notice !== printed) report(made.notice);
  writeResult({
    runs: assessments.map(({ subject }) => subject.name),
    tables: named(['table']),
    figures: named(['figure', 'gallery']),
    out,
  });
}
