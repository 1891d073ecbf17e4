import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Chess } from 'chess.js';
import { beforeAll, expect, test } from 'vitest';
import { commandFolder } from '../fixtures/command-line/folder.ts';
import { gameLines } from '../fixtures/given-games.ts';
import { presets } from '../src/config/presets.ts';

/** The command line as a person calls it, in a process of its own. */
const program = new URL('./blindfold.mjs', import.meta.url).pathname;
/** Commands run in a process that others ran in before: starting one takes a third of a second. */
const { folder, at, run: runThere, json } = commandFolder('whole');

function run(args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    input,
    encoding: 'utf8',
    cwd: folder,
  });
  return { status, stdout, stderr, lines: stdout.trim().split('\n') };
}

beforeAll(() => {
  writeFileSync(at('games.uci.txt'), [gameLines(130, 'short', 24), gameLines(20, 'long', 75)].join('\n'));
  writeFileSync(
    at('config.json'),
    JSON.stringify({
      ...presets[0].config,
      model: { kind: 'gpt2', layers: 1, width: 16, heads: 2, context: 256, dropout: 0 },
      batch: 2,
      checkpointEvery: 5,
      evaluation: { every: 20, games: 3, instances: 4 },
    }),
  );
});

test('legal agrees with chess.js on the moves, the FEN and check', () => {
  const prefixes = ['', 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1', 'f2f3 e7e5 g2g4 d8h4', 'e2e4 a7a6 e4e5 d7d5'];
  const { lines } = run(['legal'], prefixes.join('\n') + '\n');
  expect(lines).toHaveLength(prefixes.length);
  lines.forEach((line, i) => {
    const chess = new Chess();
    for (const move of prefixes[i].split(' ').filter(Boolean)) chess.move(move);
    expect(JSON.parse(line)).toEqual({
      fen: chess.fen(),
      legal: chess
        .moves({ verbose: true })
        .map(({ lan }) => lan)
        .sort(),
      check: chess.inCheck(),
    });
  });
});

test('classify gives the lines back with the verdict', () => {
  const line = { prefix: 'e2e4 e7e5', start: 'f1', id: 7 };
  const predicted = { h3: 'path obstruction', b5: null, g1: 'syntax', a2: 'unreachable' };
  const { lines } = run(
    ['classify'],
    Object.keys(predicted)
      .map((to) => JSON.stringify({ ...line, predicted: to }))
      .join('\n'),
  );
  expect(lines.map((text) => JSON.parse(text) as unknown)).toEqual(
    Object.entries(predicted).map(([to, error]) => ({ ...line, predicted: to, legal: error === null, error })),
  );
});

test('the whole pipeline: prepare, train, stop by Ctrl-C, resume, perplexity, probes, export', async () => {
  const prepared = json([
    'prepare',
    'games.uci.txt',
    '--domain',
    'chess',
    '--out',
    'shards',
    '--split',
    'train=0.8,dev=0.1,test=0.1',
  ]);
  expect(prepared).toMatchObject({ read: 150 });
  expect(Object.keys(prepared.splits as object)).toEqual(['train', 'dev', 'test']);

  const whole = json(['train', '--data', 'shards', '--config', 'config.json', '--steps', '40', '--out', 'whole']);
  expect(Object.keys(whole)).toEqual([
    'steps',
    'tokens',
    'tokensPerSecond',
    'loss',
    'devPerplexity',
    'engine',
    'device',
  ]);
  expect(whole).toMatchObject({ steps: 40, engine: 'wasm' });

  await interrupted(['train', '--data', 'shards', '--config', 'config.json', '--steps', '40', '--out', 'halves']);
  const resumed = json(['train', '--data', 'shards', '--out', 'halves', '--resume']);
  expect(resumed.loss).toBe(whole.loss);
  expect(resumed.devPerplexity).toBe(whole.devPerplexity);
  expect(resumed.tokens).toBe(whole.tokens);

  const perplexity = json(['perplexity', '--model', 'whole', '--games', 'games.uci.txt']) as {
    games: number;
    perplexity: number;
  };
  expect(perplexity.games).toBe(150);
  expect(perplexity.perplexity).toBeGreaterThan(1);

  const probes = run(['make-probes', '--games', 'games.uci.txt', '--range', '5-50', '--n', '12']);
  expect(probes.lines).toHaveLength(12);
  writeFileSync(at('probes.jsonl'), probes.stdout);
  const scores = json(['probe', '--model', 'whole', '--probes', 'probes.jsonl', '--each', 'each.jsonl']);
  expect(scores['end-actual']).toMatchObject({ n: 12 });
  expect(scores['end-other']).toMatchObject({ exm: null });
  const each = readFileSync(at('each.jsonl'), 'utf8').trim().split('\n');
  expect(each).toHaveLength(48);
  const wrongEnds = each
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ task, legal }) => task === 'end-actual' && !legal);
  const errors = scores.errors as Record<string, Record<string, number>>;
  expect(Object.values(errors['end-actual']).reduce((sum, n) => sum + n, 0)).toBe(wrongEnds.length);

  const weights = ['export', '--to', 'safetensors', '--out', 'weights', '--model'];
  expect(json([...weights, 'whole'])).toMatchObject({ maxLogitDifference: 0 });
  expect(readdirSync(at('weights')).sort()).toEqual(['blindfold.json', 'config.json', 'model.safetensors']);
  expect(json(['perplexity', '--model', 'weights', '--games', 'games.uci.txt'])).toEqual(perplexity);
  const before = readFileSync(at('weights/model.safetensors'));
  expect(run([...weights, 'halves'])).toMatchObject({ status: 1, stderr: expect.stringContaining('would replace') });
  expect(readFileSync(at('weights/model.safetensors'))).toEqual(before);
  // Another maker's folder has no blindfold.json; its config.json goes along.
  rmSync(at('weights/blindfold.json'));
  json(['export', '--to', 'safetensors', '--out', 'again', '--model', 'weights']);
  expect(readFileSync(at('again/config.json'))).toEqual(readFileSync(at('weights/config.json')));
});

/** Starts a command and sends it Ctrl-C once it has trained a little. */
function interrupted(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/step 20: dev/.test(output)) child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(output))));
  });
}

test('bad input ends with 1 and one line, wrong usage with 2', () => {
  const cases: [string[], string, number, RegExp][] = [
    [['legal'], 'e2e4 e2e4\n', 1, /line 1.*ply 2/i],
    [['classify'], 'not json\n', 1, /line 1.*JSON from character 1/],
    [['classify'], '{"prefix":"e2e4","start":"z9","predicted":"a1"}\n', 1, /line 1/],
    [['perplexity', '--model', 'nowhere', '--games', 'games.uci.txt'], '', 1, /nowhere/],
    [['make-probes', '--games', 'missing.pgn', '--range', '5-50'], '', 1, /missing\.pgn/],
    [['make-probes', '--games', 'games.uci.txt', '--range', '50-5'], '', 2, /--range/],
    [['train', '--data', 'games.uci.txt', '--preset', 'enormous', '--out', 'x'], '', 2, /enormous/],
    [['train', '--data', 'games.uci.txt', '--out', 'x'], '', 2, /--preset/],
    [['prepare'], '', 2, /./],
    [['legal', '--fast'], '', 2, /--fast/],
    [['legal', 'games.uci.txt'], '', 2, /games\.uci\.txt/],
    [['train', '--data', 'games.uci.txt', '--out', 'whole', '--resume', '--seed', '3'], '', 2, /--seed/],
    [['conjure'], '', 2, /conjure/],
  ];
  for (const [i, [args, input, status, expected]] of cases.entries()) {
    // The first of each kind in a process of its own: what a shell sees.
    const result = i === 0 || args[0] === 'conjure' ? run(args, input) : runThere(args, input);
    expect({ args, status: result.status }).toEqual({ args, status });
    expect(result.stderr).toMatch(expected);
    expect(result.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  }
  const named = (text: string): string[] => [...new Set(text.match(/--(?!help)[a-z]+/g))].sort();
  const wrong = run(['bench', '--suite', 'nonsense']);
  expect(wrong.status).toBe(2);
  expect(named(wrong.stderr)).toEqual(named(run(['bench', '--help']).stdout));
  expect(runThere(['train', '--help']).stdout).toContain('--resume');
  // A usage line is a command that there is.
  for (const path of ['train', 'splat', 'splat fine-tune', 'baseball trace'])
    expect(runThere([...path.split(' '), '--help']).stdout).toContain(`blindfold ${path} `);
});
