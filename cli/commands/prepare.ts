import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { defineCommand } from 'citty';
import { inputError, unwrap, type Failure } from '../../src/base/result.ts';
import { filtersOf, tokenCounter, type Filters } from '../../src/data/filters.ts';
import { prepare, type Shares } from '../../src/data/prepare.ts';
import { MANIFEST, writeShards } from '../../src/data/shards.ts';
import {
  TESTBED_SEED,
  testbedSplit,
  trainSubsets,
  type TestbedSplit,
  type TrainSubset,
} from '../../src/data/testbed-split.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { DOMAIN_NAMES } from '../../src/domains/domains.ts';
import { readsSquares } from '../../src/studies/testbed/reads-squares.ts';
import {
  gamesFrom,
  nameOf,
  progressBar,
  report,
  usageError,
  wantedDomain,
  wholeNumber,
  writeResult,
} from '../node-io.ts';

const FAILURES_SHOWN = 5;

export default defineCommand({
  meta: {
    name: 'prepare',
    description: 'Filter games, drop duplicates, split them, and write Parquet shards with manifest.json.',
  },
  args: {
    games: {
      type: 'positional',
      required: true,
      description:
        'GAMES: .uci.txt, .pgn, .jsonl, .parquet, Retrosheet, Gameday or StatsAPI files, a shard folder; - for standard input',
    },
    domain: { type: 'string', default: 'chess', description: DOMAIN_NAMES.join(' or ') },
    out: { type: 'string', required: true, description: 'folder to write' },
    'min-plies': { type: 'string', description: 'shortest game kept, in plies, verbs or moves; 10 for chess' },
    'max-plies': { type: 'string', description: 'longest game kept; 150 for chess' },
    'max-tokens': { type: 'string', description: 'longest game kept in tokens of SPLAT; 1000 for baseball' },
    'min-elo': { type: 'string', description: 'least rating of both players' },
    limit: { type: 'string', description: 'most games kept' },
    split: {
      type: 'string',
      default: 'train=0.9,dev=0.05,test=0.05',
      description: 'shares by name, or testbed: as the chess testbed is split, with probe games',
    },
    subset: {
      type: 'string',
      description: 'with --split testbed, S, M or L: the first 15K, 50K or 200K training games',
    },
    seed: { type: 'string', description: 'seed of the shuffle before the split; 1, and 10 for the testbed' },
  },
  async run({ args }) {
    const paths = args._;
    const domain = wantedDomain(args.domain);
    const filters = wantedFilters(domain.name, args);
    const asTestbed = args.split === 'testbed';
    if (asTestbed && !readsSquares({ domain: domain.name, notation: 'uci' }))
      throw usageError('--split testbed is of the chess testbed; give shares.');
    const subset = parseSubset(args.subset, asTestbed);
    const seed = args.seed === undefined ? (asTestbed ? TESTBED_SEED : 1) : wholeNumber('--seed', args.seed, 0);
    let text = '';
    const testbed = (games: number): TestbedSplit['splits'] => {
      const split = testbedSplit(games, subset, seed);
      text = ` ${split.description}`;
      return split.splits;
    };
    const shares = asTestbed ? testbed : parseShares(args.split);
    const { out } = args;
    if (existsSync(join(out, MANIFEST))) {
      const message = `${out} already holds prepared games; give another folder with --out, or remove that one.`;
      throw inputError('exists', message);
    }

    let failures = 0;
    const bar = progressBar('games');
    const prepared = unwrap(
      await prepare(gamesFrom(paths, domain), {
        filters,
        tokens: filters.maxTokens ? tokenCounter(domain) : undefined,
        shares,
        seed,
        onProgress: (read) => bar.update(read),
        onFailure: (failure: Failure) => {
          if (failures++ < FAILURES_SHOWN) report(failure.message);
        },
      }),
    );
    bar.end();
    if (failures > FAILURES_SHOWN) report(`${failures - FAILURES_SHOWN} more games could not be read.`);

    await mkdir(out, { recursive: true });
    const names = paths.map((path) => basename(nameOf(path)));
    const writing = progressBar('games written');
    await writeShards(prepared, {
      name: names.join(', '),
      source: `Prepared from ${names.join(', ')}.${text}`,
      licence: 'as the source files',
      domain,
      filters,
      splitSeed: seed,
      createdBy: `${packageJson.name} ${packageJson.version}`,
      write: (path, bytes) => writeFile(join(out, path), bytes),
      onProgress: (written, of) => writing.update(written, of),
    });
    writing.end();
    if (text !== '') report(text.trim());
    writeResult(prepared.counts);
  },
});

/** The domain's filters with what the options say. */
function wantedFilters(
  domain: string,
  args: { 'min-plies'?: string; 'max-plies'?: string; 'max-tokens'?: string; 'min-elo'?: string; limit?: string },
): Filters {
  const filters = filtersOf(domain);
  const given = <Usual>(option: keyof typeof args, least: number, usual: Usual): number | Usual =>
    args[option] === undefined ? usual : wholeNumber(`--${option}`, args[option], least);
  return {
    ...filters,
    minPlies: given('min-plies', 0, filters.minPlies),
    maxPlies: given('max-plies', 1, filters.maxPlies),
    minElo: given('min-elo', 0, null),
    limit: given('limit', 1, null),
    ...(args['max-tokens'] === undefined ? {} : { maxTokens: given('max-tokens', 1, null) }),
  };
}

function parseSubset(name: string | undefined, asTestbed: boolean): TrainSubset | null {
  if (name === undefined) return null;
  if (!asTestbed) throw usageError('--subset is of the testbed: give --split testbed too, or --limit.');
  if (!Object.hasOwn(trainSubsets, name)) throw usageError(`--subset ${name}: the subsets are S, M and L.`);
  return name as TrainSubset;
}

/** Shares of "train=0.9,dev=0.05,test=0.05"; they must sum to 1. */
function parseShares(text: string): Shares {
  const shares: Shares = {};
  for (const part of text.split(',')) {
    const found = /^([a-z][\w-]*)=(\d*\.?\d+)$/i.exec(part.trim());
    if (!found || Object.hasOwn(shares, found[1]))
      throw usageError(`--split ${text}: write name=share pairs such as train=0.9,dev=0.1.`);
    shares[found[1]] = Number(found[2]);
  }
  const sum = Object.values(shares).reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 1) > 1e-6) throw usageError(`--split ${text}: the shares sum to ${sum}, not to 1.`);
  return shares;
}
