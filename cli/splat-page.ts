import { basename, dirname, resolve } from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import { unwrap } from '../src/base/result.ts';
import { noticeOf } from '../src/config/notice.ts';
import { domainNamed } from '../src/domains/domains.ts';
import { dataStatistics } from '../src/studies/splat/questions/data-statistics.ts';
import { questionsFor } from '../src/studies/splat/questions/questions.ts';
import type { ReportAbout } from '../src/report/report.ts';
import { hasOwn } from '../src/report/report.ts';
import { drawsOwn } from '../src/report/report.ts';
import { splatHtml, splatNotice } from '../src/studies/splat/report/html.ts';
import type { SplatGames, SplatReportInput } from '../src/studies/splat/report/report-input.ts';
import { splatFigures, splatTables } from '../src/studies/splat/report/report.ts';
import { parseStoredSplat } from '../src/studies/splat/report/stored.ts';
import { writeWhole } from './folder-store.ts';
import { report, usageError, writeJsonLine } from './node-io.ts';
import { trainingGames } from './training-games.ts';

/**
 * The page on SPLAT of assessments that `splat evaluate --out` has written, with its one line on stdout; false where these
 * texts are none of SPLAT. `games`: those that Table 2 counts, instead of those that the files tell of. `json`: a file that
 * keeps what the page is made of. Fails as InputError where some are damaged.
 */
export async function writeSplatReport(
  files: readonly { name: string; text: string }[],
  { out, json, games, about }: { out: string; json?: string; games: string | undefined; about: ReportAbout },
): Promise<boolean> {
  const parsed = files.map(({ name, text }) => parseStoredSplat(text, name));
  if (!parsed.every((one) => one !== null)) return false;
  const inputs = parsed.map((one) => unwrap(one));
  const assessments = inputs.flatMap((one) => one.assessments);
  const domains = [...new Set(assessments.map((one) => one.domain))];
  const data = games === undefined ? differentGames(inputs) : [await countedGames(games, domains)];
  const input: SplatReportInput = { assessments, data };
  // Those of --games are told as the games are read.
  const { notice } = splatNotice({ assessments, data: [] });
  if (notice !== undefined && data.every((one) => one.notice !== notice)) report(notice);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(input)}\n`);
  const path = resolve(out);
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(dirname(path), basename(path), new TextEncoder().encode(splatHtml(input, about)));
  writeJsonLine({
    runs: input.assessments.map(({ subject }) => subject.name),
    tables: splatTables(input)
      .filter(hasOwn)
      .map(({ id }) => id),
    figures: splatFigures(input)
      .filter(drawsOwn)
      .map(({ id }) => id),
    out,
  });
  return true;
}

/** Games of several files, each set once. */
function differentGames(inputs: readonly SplatReportInput[]): SplatGames[] {
  const sets = new Map<string, SplatGames>();
  for (const set of inputs.flatMap(({ data }) => data)) sets.set(`${set.domain} ${set.name}`, set);
  return [...sets.values()];
}

/** Table 2's facts of the games that `--games` names. */
async function countedGames(path: string, domains: readonly string[]): Promise<SplatGames> {
  if (domains.length > 1)
    throw usageError(`--games: these models read ${domains.join(' and ')}; give models of one game.`);
  const domain = unwrap(domainNamed(domains[0]));
  const notation = unwrap(domain.notation('splat'));
  const { name, train, notice } = await trainingGames(path, { limit: null, seed: 1, domain: domain.name });
  const questions = unwrap(questionsFor(domain.name));
  return { name, domain: domain.name, statistics: dataStatistics(train, notation, { questions }), ...noticeOf(notice) };
}
