import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';

const { folder, at, run, json } = commandFolder('prepare');

const line = 'g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4 e7e5';
const games =
  [line, line, `${line} d2d4`, `${line} d2d3 d7d6`, 'e2e4 e7e5', `${line} e4e5`, `${line} 0000`].join('\n') + '\n';

it('prints its counts as one line of JSON and writes shards that it reads again, whole or by split', () => {
  const first = run(['prepare', '-', '--out', at('one'), '--split', 'train=0.67,dev=0.33'], games);
  expect(first.stderr).toMatch(/standard input, line 6: Ply 11/);
  expect(first.status).toBe(0);
  expect(JSON.parse(first.stdout)).toEqual({
    read: 7,
    kept: 3,
    plies: 33,
    dropped: { duplicate: 1, 'too short': 1, 'too long': 0, illegal: 2, rating: 0 },
    splits: { train: 2, dev: 1 },
  });
  expect(first.stdout.trim().split('\n')).toHaveLength(1);
  expect(existsSync(at('one/manifest.json'))).toBe(true);
  expect(json(['prepare', at('one'), '--out', at('two')])).toMatchObject({ read: 3, kept: 3 });
  expect(json(['prepare', `${at('one')}:dev`, '--out', at('three')])).toMatchObject({
    read: 1,
  });
  const again = run(['prepare', '-', '--out', at('one')], games);
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('already holds prepared games') });
});

it('splits as the testbed does, shuffled by the seed of the authors, and says in the manifest what it scaled', () => {
  // A knight wanders: 63 games, all different, so that each part is a ten-thousandth of the authors'.
  const squares = ['f3', 'h3'];
  const many = Array.from({ length: 63 }, (_, game) => {
    const moves = Array.from({ length: 6 }, (_, bit) => {
      const to = squares[(game >> bit) & 1];
      return `g1${to} g8f6 ${to}g1 f6g8`;
    });
    return moves.join(' ');
  });
  const prepared = run(
    ['prepare', '-', '--out', at('bed'), '--split', 'testbed', '--subset', 'M'],
    many.join('\n') + '\n',
  );
  expect(prepared.status).toBe(0);
  expect(JSON.parse(prepared.stdout).splits).toEqual({ train: 50, dev: 1, test: 1, probe: 5 });
  expect(prepared.stderr).toContain('scaled down by 0.000100');
  const manifest = JSON.parse(readFileSync(at('bed/manifest.json'), 'utf8'));
  expect(manifest.splitSeed).toBe(10);
  expect(manifest.source).toMatch(
    /scaled down by 0\.000100\. Train-M wants 50000 training games; there are only 50\.$/,
  );
});

it('exits 1 with one line on bad input and 2 on wrong usage', () => {
  writeFileSync(at('cut.uci.txt.gz'), gzipSync(games).subarray(0, 60));
  writeFileSync(at('page.html'), '<p>not games</p>');
  const cases: [string[], number, RegExp][] = [
    [[at('missing.pgn')], 1, /missing\.pgn: there is no such file/],
    [[at('cut.uci.txt.gz')], 1, /cut\.uci\.txt\.gz: the gzip data are cut off or damaged near byte 60/],
    [[at('page.html')], 1, /page\.html: this does not look like games/],
    [[at('one'), '--min-elo', '2000'], 1, /None of the 3 games read was kept/],
    [[folder], 1, /is a folder without manifest\.json/],
    [[at('one'), '--split', 'train=0.5'], 2, /sum to 0\.5/],
    [[at('one'), '--subset', 'S'], 2, /give --split testbed too/],
    [[at('one'), '--split', 'testbed', '--subset', 'XL'], 2, /the subsets are S, M and L/],
    [[at('one'), '--min-plies', 'ten'], 2, /--min-plies ten/],
    [[at('one'), '--domain', 'go'], 2, /--domain go/],
  ];
  for (const [args, status, message] of cases) {
    const prepared = run(['prepare', ...args, '--out', at('never')]);
    expect(prepared, args.join(' ')).toMatchObject({ status, stdout: '' });
    expect(prepared.stderr).toMatch(message);
    expect(prepared.stderr.trim().split('\n'), prepared.stderr).toHaveLength(1);
  }
  expect(existsSync(at('never'))).toBe(false);
});
