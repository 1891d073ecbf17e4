import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { defineCommand } from 'citty';
import { InputError, inputError, unwrap } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { StoredAssessments } from '../../src/studies/assessments-file.ts';
import type { StoredStudy } from '../../src/studies/studies.ts';
import { PREFIX_RANGES, prefixRanges, type PrefixRange } from '../../src/studies/testbed/prefix-ranges.ts';
import type { Assessment } from '../../src/studies/testbed/assessment.ts';
import { parseInstances } from '../../src/studies/testbed/instances.ts';
import { makeMaterial, type Material } from '../../src/studies/testbed/material.ts';
import type { GamesFacts } from '../../src/studies/testbed/report/report-input.ts';
import { gamesFactsOf, testbed } from '../../src/studies/testbed/study.ts';
import { assessModel, modelNames } from '../assessed-models.ts';
import { comparedGames } from '../compared-games.ts';
import { nameOf, openText, report, usageError, wholeNumber } from '../node-io.ts';
import { deviceFor, modelArgs, readModel } from '../open-model.ts';
import { countedGames, gamesSet, assessmentsOf, writeReport } from '../report-page.ts';
import type { TrainingGames } from '../training-games.ts';

export default defineCommand({
  meta: {
    name: 'report',
    description:
      "Every table and figure of the chess testbed from your own models, beside the paper's, as one page; with --from, those of the study that the files are of.",
  },
  args: {
    models: { type: 'string', description: 'MODEL, or several with commas between them' },
    games: {
      type: 'string',
      description: 'a folder made by prepare, or GAMES: held-out games and prefixes come from it',
    },
    probes: { type: 'string', description: 'instances made by make-probes, instead of those made from --games' },
    n: { type: 'string', default: '1000', description: 'instances for each range of prefixes' },
    ranges: { type: 'string', default: 'long,short', description: 'long (51 to 100 plies), short (5 to 50) or both' },
    'perplexity-games': { type: 'string', default: '1000', description: 'held-out games for each perplexity' },
    'random-play': { type: 'boolean', default: true, description: 'also ask after random legal play' },
    out: { type: 'string', default: 'report.html', description: 'the page' },
    json: { type: 'string', description: 'also keep what was measured in this file, for --from' },
    from: {
      type: 'string',
      description:
        'what --json, study --out, splat evaluate --out, sweep or the Compare page kept, several with commas; with --models, these come first',
    },
    force: { type: 'boolean', default: false, description: 'replace the page and the file of --json where they exist' },
    engine: modelArgs.engine,
  },
  async run({ args }) {
    const listed = (text: string | undefined): string[] => (text ?? '').split(',').filter((path) => path !== '');
    const [paths, files] = [listed(args.models), listed(args.from)];
    if (paths.length === 0 && files.length === 0) throw usageError('give --models, or --from, or both.');
    if (paths.length > 0 && args.games === undefined) throw usageError('--models needs --games to ask them about.');
    for (const path of [args.out, args.json ?? []].flat()) refuseToOverwrite(path, args.force);
    let stored: StoredAssessments | null = files.length === 0 ? null : await assessmentsOf(files);
    let notice: string | undefined;
    if (stored !== null && paths.length === 0 && args.games !== undefined) {
      const counted = await countedGames(stored, args.games);
      stored = { ...stored, games: counted.games };
      ({ notice } = counted);
    }
    let device: string | null = null;
    if (paths.length > 0) {
      if (stored !== null && stored.study !== testbed) throw otherStudy(args.from!, stored);
      const measured = await measure(paths, args.games!, args);
      stored = { ...measured, assessments: [...(stored?.assessments ?? []), ...measured.assessments] };
      const { backend, adapter } = await deviceFor(args.engine);
      device = `${backend} (${adapter})`;
    }
    if (stored!.assessments.length === 0)
      throw inputError('no-assessments', `${args.from}: there are no assessments in it.`);
    await writeReport(stored!, { out: args.out, json: args.json, told: notice, about: { device, ...madeNow() } });
  },
});

/** Before anything is measured, which may take an hour. */
function refuseToOverwrite(path: string, force: boolean): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined || (force && !there.isDirectory())) return;
  const message = there.isDirectory()
    ? `${path} is a folder; give the name of a file.`
    : `${path} exists already; give another name, or --force to replace it.`;
  throw inputError('file-exists', message);
}

type Asked = Record<'n' | 'ranges' | 'perplexity-games', string> &
  Partial<Record<'probes' | 'engine', string>> & { 'random-play': boolean };

async function measure(paths: readonly string[], gamesPath: string, asked: Asked): Promise<StoredAssessments> {
  const n = wholeNumber('--n', asked.n, 1);
  const perplexityGames = wholeNumber('--perplexity-games', asked['perplexity-games'], 0);
  const ranges = rangesOf(asked.ranges);
  const given = asked.probes === undefined ? null : await givenSets(asked.probes);
  const configs: RunConfig[] = [];
  for (const path of paths) {
    const { config } = await readModel(path);
    if (config !== null) configs.push(config);
  }
  const games = await comparedGames(gamesPath, configs);
  const options = { ranges, instances: n, perplexityGames, randomPlay: asked['random-play'] };
  // Given instances stand in for those of the games, of which none are made then.
  const material: Material = unwrap(await makeMaterial(given === null ? games : { ...games, probe: [] }, options));
  const made = material.sets.filter(({ source }) => given === null || source !== 'games');
  const sets = [...(given ?? []), ...made];
  for (const { range, source, instances } of made)
    if (instances.length < n) report(`Only ${instances.length} instances after ${range} prefixes of ${source}.`);
  const names = modelNames(paths);
  const assessments: Assessment[] = [];
  for (const [at, path] of paths.entries())
    assessments.push(
      await assessModel(path, names[at], { engine: asked.engine, material: { ...material, sets }, games }),
    );
  return { study: testbed as StoredStudy, assessments, games: [factsOf(games, asked.probes)] };
}

function rangesOf(text: string): PrefixRange[] {
  const ranges = text.split(',');
  for (const range of ranges)
    if (!Object.hasOwn(prefixRanges, range) || ranges.indexOf(range) !== ranges.lastIndexOf(range))
      throw usageError(`--ranges ${text}: give long, short or long,short.`);
  return ranges as PrefixRange[];
}

/** Instances of a file, by the range that their prefixes fall in. */
async function givenSets(path: string): Promise<Material['sets'][number][]> {
  const instances = unwrap(await parseInstances(openText(path), path));
  const plies = (prefix: string): number => prefix.split(/\s+/).length;
  const sets = PREFIX_RANGES.map((range) => {
    const [min, max] = prefixRanges[range];
    const fitting = instances.filter(({ prefix }) => plies(prefix) >= min && plies(prefix) <= max);
    return { range, source: 'games' as const, instances: fitting };
  });
  const kept = sets.reduce((sum, set) => sum + set.instances.length, 0);
  if (kept === 0)
    throw inputError(
      'no-instances',
      `${path} holds no instances of 5 to 50 or 51 to 100 plies; make them with make-probes.`,
    );
  if (kept < instances.length) report(`${instances.length - kept} instances are of other lengths and were left out.`);
  return sets.filter((set) => set.instances.length > 0);
}

/** Where the questions come from a file, the games' own split for them says nothing. */
function factsOf(games: TrainingGames, probes: string | undefined): GamesFacts {
  const set = { ...gamesSet(games), name: basename(games.name) };
  if (probes === undefined) return gamesFactsOf(set);
  return { ...gamesFactsOf({ ...set, probe: set.dev }), questions: basename(nameOf(probes)) };
}

function otherStudy(path: string, { study }: StoredAssessments): InputError {
  const message = `${path}: this holds assessments of ${study.title}, and --models are asked the questions of ${testbed.title}; leave out --models, or give other files.`;
  return inputError('other-study', message);
}

function madeNow(): { command: string; date: string } {
  const command = `blindfold report ${process.argv.slice(3).map(quoted).join(' ')}`;
  return { command, date: new Date().toLocaleDateString('en-GB', { dateStyle: 'long' }) };
}

/** An argument as a shell reads it. */
function quoted(argument: string): string {
  return /^[\w./:,=@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
