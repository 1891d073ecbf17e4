import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { craftedFiles, zipOf } from '../../fixtures/crafted-files.ts';
import { Budget, LIMITS, OVER_LIMIT, raisedLimits } from '../base/budget.ts';
import { failureOf, unwrap, type Failure } from '../base/result.ts';
import { domainNamed } from '../domains/domains.ts';
import { readGames } from './sources.ts';

/** Each piece of decoding takes a second here, whatever the machine. */
let now = 0;

async function failuresOf(name: string, bytes: Uint8Array, limits = LIMITS): Promise<Failure[]> {
  const domain = unwrap(domainNamed(/\.(EVA|xml|json)$/.test(name) ? 'baseball' : 'chess'));
  async function* stream() {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const budget = new Budget(name, limits, { clock: () => (now += 1000) });
  const failures: Failure[] = [];
  try {
    for await (const game of readGames({ name, stream: stream(), budget }, domain))
      if (!game.ok) failures.push(game.error);
      else if (game.value.events.length > 2) throw new Error('no game of these files is longer');
  } catch (error) {
    failures.push(failureOf(error));
  }
  return failures;
}

const CODES: Record<string, string> = {
  'run-of-two-thousand-million.parquet': 'damaged',
  'list-of-two-thousand-million.parquet': 'damaged',
  'runs-of-two-megabytes.uci.txt.zst': 'damaged',
  'runs-as-long-as-may-be.uci.txt.zst': 'empty-lines',
  'bomb.json': 'line-too-long',
  'overlapping.zip': 'damaged',
  'one-in-another-for-ever.uci.txt.gz': 'nested',
};

it.each(Object.keys(craftedFiles))('refuses %s', async (name) => {
  const failures = await failuresOf(name, craftedFiles[name]());
  expect(failures.map(({ code }) => code).at(-1)).toBe(CODES[name] ?? OVER_LIMIT);
  for (const { message } of failures) expect(message).toMatch(/^\S.{20,300}\.$/);
});

it('gives up PGN and JSON Lines that take long for what comes out, and lines that are nested too deeply', async () => {
  const pgn = new TextEncoder().encode('[Event "x"]\n\n1. e4 *\n\n'.repeat(20));
  expect((await failuresOf('slow.pgn', pgn)).map(({ code }) => code)).toEqual([OVER_LIMIT]);
  const lines = new TextEncoder().encode('{"moves": "e2e4"}\n'.repeat(20));
  expect((await failuresOf('slow.jsonl', lines)).map(({ code }) => code)).toEqual([OVER_LIMIT]);
  const [deep, wrong] = await failuresOf(
    'deep.jsonl',
    new TextEncoder().encode(`${'['.repeat(900_000)}\n{"moves": }\n`),
  );
  expect(deep.message).toContain('deep.jsonl, line 1: it is nested more than 200 deep; write a game a line as');
  expect(wrong.message).toContain('deep.jsonl, line 2: this is not JSON from character 11 on; write');
});

it('reads what raised limits let in', async () => {
  const spaces = new Uint8Array(gzipSync(`e2e4 e7e5\n${`${' '.repeat(99_999)}\n`.repeat(400)}`));
  expect(await failuresOf('g.uci.txt.gz', spaces)).toMatchObject([{ code: OVER_LIMIT }]);
  expect(await failuresOf('g.uci.txt.gz', spaces, raisedLimits(1))).toEqual([]);
});

it('says where the end of a zip names fewer files than there are', async () => {
  const size = zipOf(1, () => 0).length - 22 - 47;
  expect(
    await failuresOf(
      'two.zip',
      zipOf(2, (entry) => entry * size),
    ),
  ).toMatchObject([{ code: 'unknown-kind' }, { code: 'unknown-kind' }]);
  expect(
    await failuresOf(
      'two.zip',
      zipOf(2, (entry) => entry * size, 1),
    ),
  ).toMatchObject([
    { code: 'damaged', message: expect.stringContaining('names 1 files and its directory is of another length') },
  ]);
});
