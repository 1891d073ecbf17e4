import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { defineCommand } from 'citty';
import { fail, InputError, unwrap, type Failure } from '../../src/base/result.ts';
import { prepare, type Filters, type Shares } from '../../src/data/prepare.ts';
import { MANIFEST, writeShards } from '../../src/data/shards.ts';
import {
  TESTBED_SEED,
  testbedSplit,
  trainSubsets,
  type TestbedSplit,
  type TrainSubset,
} from '../../src/data/testbed-split.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { gamesFrom, nameOf, progressBar, report, usageError, wholeNumber, writeJsonLine } from '../node-io.ts';

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
      description: 'GAMES: .uci.txt, .pgn, .jsonl, .parquet, a shard folder; - for standard input',
    },
    domain: { type: 'string', default: 'chess', description: 'chess' },
    out: { type: 'string', required: true, description: 'folder to write' },
    'min-plies': { type: 'string', default: '10', description: 'shortest game kept' },
    'max-plies': { type: 'string', default: '150', description: 'longest game kept' },
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
    if (args.domain !== 'chess') throw usageError(`--domain ${args.domain}: games of chess can be prepared.`);
    const filters: Filters = {
      minPlies: wholeNumber('--min-plies', args['min-plies'], 0),
      maxPlies: wholeNumber('--max-plies', args['max-plies'], 1),
      minElo: args['min-elo'] === undefined ? null : wholeNumber('--min-elo', args['min-elo'], 0),
      limit: args.limit === undefined ? null : wholeNumber('--limit', args.limit, 1),
    };
    const asTestbed = args.split === 'testbed';
    const subset = parseSubset(args.subset, asTestbed);
    const seed = args.seed === undefined ? (asTestbed ? TESTBED_SEED : 1) : wholeNumber('--seed', args.seed, 0);
    let words = '';
    const testbed = (games: number): TestbedSplit['splits'] => {
      const split = testbedSplit(games, subset, seed);
      words = ` ${split.words}`;
      return split.splits;
    };
    const shares = asTestbed ? testbed : parseShares(args.split);
    const { out } = args;
    if (existsSync(join(out, MANIFEST))) {
      const message = `${out} already holds prepared games; give another folder with --out, or remove that one.`;
      throw new InputError(fail('exists', message, { file: out }).error);
    }

    let failures = 0;
    const bar = progressBar('games');
    const prepared = unwrap(
      await prepare(gamesFrom(paths), {
        filters,
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
      source: `Prepared from ${names.join(', ')}.${words}`,
      licence: 'as the source files',
      filters,
      splitSeed: seed,
      createdBy: `${packageJson.name} ${packageJson.version}`,
      write: (path, bytes) => writeFile(join(out, path), bytes),
      onProgress: (written, of) => writing.update(written, of),
    });
    writing.end();
    if (words !== '') report(words.trim());
    writeJsonLine(prepared.counts);
  },
});

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
