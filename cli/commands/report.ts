import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { fail, InputError, unwrap } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { parseInstances } from '../../src/studies/testbed/instances.ts';
import { makeMaterial, type Material } from '../../src/studies/testbed/material.ts';
import { prefixRanges, type PrefixRange } from '../../src/studies/scores.ts';
import { htmlReport } from '../../src/studies/testbed/report/html.ts';
import { hasOwn } from '../../src/report/report.ts';
import { gamesFacts, type ReportInput } from '../../src/studies/testbed/report/report-input.ts';
import { drawsOwn } from '../../src/report/report.ts';
import { figuresOf, galleriesOf, tablesOf } from '../../src/studies/testbed/report/report.ts';
import { parseStored } from '../../src/studies/testbed/report/stored.ts';
import { assessModel, modelNames } from '../assessed-models.ts';
import { comparedGames } from '../compared-games.ts';
import { writeWhole } from '../folder-store.ts';
import { nameOf, openText, report, usageError, wholeNumber, writeJsonLine } from '../node-io.ts';
import { deviceFor, modelArgs, readModel } from '../open-model.ts';
import { writeSplatReport } from '../splat-page.ts';
import type { TrainingGames } from '../training-games.ts';

export default defineCommand({
  meta: {
    name: 'report',
    description:
      "Every table and figure of the chess testbed from your own models, beside the paper's, as one page; with --from SPLAT's files, those of SPLAT.",
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
        'what --json, sweep or the Compare page kept; with --models, these come first. Or what splat evaluate wrote, several with commas',
    },
    engine: modelArgs.engine,
  },
  async run({ args }) {
    const paths = (args.models ?? '').split(',').filter((path) => path !== '');
    if (paths.length === 0 && args.from === undefined) throw usageError('give --models, or --from, or both.');
    if (paths.length > 0 && args.games === undefined) throw usageError('--models needs --games to ask them about.');
    if (args.from !== undefined && paths.length === 0) {
      const names = args.from.split(',').filter((path) => path !== '');
      const files = await Promise.all(names.map(async (name) => ({ name, text: await textOf(name) })));
      const about = { device: null, ...madeNow() };
      if (await writeSplatReport(files, { out: args.out, json: args.json, games: args.games, about })) return;
    }
    const stored: ReportInput =
      args.from === undefined
        ? { assessments: [], games: null }
        : unwrap(parseStored(await textOf(args.from), args.from));
    let input = stored;
    let device: string | null = null;
    if (paths.length > 0) {
      const measured = await measure(paths, args.games!, args);
      input = { ...measured, assessments: [...stored.assessments, ...measured.assessments] };
      const { backend, adapter } = await deviceFor(args.engine);
      device = `${backend} (${adapter})`;
    }
    if (input.assessments.length === 0)
      throw new InputError(fail('no-assessments', `${args.from}: there are no assessments in it.`).error);
    if (args.json !== undefined) await writeFile(args.json, `${JSON.stringify(input)}\n`);
    const page = htmlReport(input, { device, ...madeNow() });
    const out = resolve(args.out);
    await mkdir(dirname(out), { recursive: true });
    await writeWhole(dirname(out), basename(out), new TextEncoder().encode(page));
    const boards = galleriesOf(input).filter(({ classes }) => classes.some(({ members }) => members.length > 0));
    writeJsonLine({
      runs: input.assessments.map(({ subject }) => subject.name),
      tables: tablesOf(input)
        .filter(hasOwn)
        .map(({ id }) => id),
      figures: [...figuresOf(input).filter(drawsOwn), ...boards].map(({ id }) => id),
      out: args.out,
    });
  },
});

interface Asked {
  n: string;
  ranges: string;
  'perplexity-games': string;
  'random-play': boolean;
  probes?: string;
  engine?: string;
}

async function measure(paths: readonly string[], gamesPath: string, asked: Asked): Promise<ReportInput> {
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
  const assessments: ReportInput['assessments'][number][] = [];
  for (const [at, path] of paths.entries())
    assessments.push(
      await assessModel(path, names[at], { engine: asked.engine, material: { ...material, sets }, games }),
    );
  return { assessments, games: factsOf(games, asked.probes) };
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
  const sets = (Object.keys(prefixRanges) as PrefixRange[]).map((range) => {
    const [min, max] = prefixRanges[range];
    const fitting = instances.filter(({ prefix }) => plies(prefix) >= min && plies(prefix) <= max);
    return { range, source: 'games' as const, instances: fitting };
  });
  const kept = sets.reduce((sum, set) => sum + set.instances.length, 0);
  if (kept === 0)
    throw new InputError(
      fail('no-instances', `${path} holds no instances of 5 to 50 or 51 to 100 plies; make them with make-probes.`)
        .error,
    );
  if (kept < instances.length) report(`${instances.length - kept} instances are of other lengths and were left out.`);
  return sets.filter((set) => set.instances.length > 0);
}

function factsOf(games: TrainingGames, probes: string | undefined): ReportInput['games'] {
  const splits = {
    train: games.train,
    dev: games.dev,
    ...(games.test.length > 0 ? { test: games.test } : {}),
    // Without games of its own for it, the instances come from those of another split, or from a file.
    ...(probes !== undefined || games.probe === games.test || games.probe === games.dev ? {} : { probe: games.probe }),
  };
  const facts = gamesFacts(basename(games.name), splits);
  return probes === undefined ? facts : { ...facts, questions: basename(nameOf(probes)) };
}

async function textOf(path: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of openText(path)) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

function madeNow(): { command: string; date: string } {
  const command = `blindfold report ${process.argv.slice(3).map(quoted).join(' ')}`;
  return { command, date: new Date().toLocaleDateString('en-GB', { dateStyle: 'long' }) };
}

/** An argument as a shell reads it. */
function quoted(argument: string): string {
  return /^[\w./:,=@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
