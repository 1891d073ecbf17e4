import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { commandFolder } from '../fixtures/command-line/folder.ts';
import { gameLines } from '../fixtures/given-games.ts';
import { unwrap } from '../src/base/result.ts';
import { presets } from '../src/config/presets.ts';
import { parseRunConfig, type RunConfig } from '../src/config/run-config.ts';
import { expandSweep, parseSweep } from '../src/config/sweep.ts';
import type { Assessment } from '../src/studies/testbed/assessment.ts';
import { MemoryStore } from '../src/training/memory-store.ts';
import type { DataHost } from '../workers/data/data-host.ts';
import { dataHandlers } from '../workers/data/handlers.ts';
import { EMBEDDED } from '../workers/data/store-games.ts';
import { testbed } from '../src/studies/testbed/study.ts';
import { memoryAssessmentLists } from '../workers/measure/assessment-list.ts';
import { measureHandlers } from '../workers/measure/handlers.ts';
import { runStudy } from '../workers/measure/protocol.ts';
import type { GamesRequest } from '../workers/data/protocol.ts';
import { trainHandlers } from '../workers/train/handlers.ts';
import { memoryRunList } from '../workers/train/run-list.ts';
import { memoryLocks } from '../workers/train/run-locks.ts';
import { deviceFor, engineWith } from './open-model.ts';

const program = new URL('./blindfold.mjs', import.meta.url).pathname;
const { folder, at, run } = commandFolder('sweep');

const tiny: RunConfig = unwrap(
  parseRunConfig({
    ...presets[0].config,
    model: { kind: 'gpt2', layers: 1, width: 16, heads: 2, context: 256, dropout: 0 },
    schedule: { steps: 40, warmup: 0.1, floor: 0 },
    batch: 2,
    checkpointEvery: 5,
    evaluation: { every: 20, games: 3, instances: 4 },
  }),
);
const sweep = {
  version: 1,
  bases: [tiny],
  notations: ['uci', 'rap:50'],
  limits: [60],
  seeds: [7],
  assess: { ranges: ['short', 'long'], instances: 6, perplexityGames: 5, randomPlay: true, seed: 42 },
} as const;

beforeAll(() => {
  writeFileSync(at('games.uci.txt'), [gameLines(60, 'short', 24), gameLines(60, 'long', 80)].join('\n'));
  writeFileSync(at('sweep.json'), JSON.stringify(sweep));
  const split = ['--split', 'train=0.6,dev=0.2,probe=0.2'];
  const { status } = run(['prepare', 'games.uci.txt', '--domain', 'chess', '--out', 'shards', ...split]);
  expect(status).toBe(0);
});

const ours = ['sweep', '--config', 'sweep.json', '--data', 'shards', '--out', 'swept'];

/** Starts the sweep and sends it Ctrl-C once its first run has trained a little. */
function interrupted(): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...ours], { cwd: folder });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      const before = output.length;
      output += chunk.toString();
      const mark = output.indexOf('step 20: dev');
      if (mark >= 0 && before <= mark + 12) child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('exit', resolve);
  });
}

/** The same sweep as the page's workers do it, without a stop. */
async function asThePage(): Promise<Assessment[]> {
  const data = dataHandlers({
    embedded: (path: string) => readFile(at('shards', path)),
    pause: () => Promise.resolve(),
  } as unknown as DataHost);
  const checkpoints = new MemoryStore();
  const runs = memoryRunList();
  let ids = 0;
  const shared = {
    checkpoints,
    runs,
    games: (request: GamesRequest) => data.read(request),
    clock: () => performance.now(),
    newId: () => `id-${++ids}`,
    pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
  const training = trainHandlers({
    ...shared,
    device: () => deviceFor(undefined),
    createEngine: (_, model, parameters) => engineWith(undefined, model, parameters),
    threads: 1,
    locks: memoryLocks(),
  });
  const measuring = measureHandlers({
    ...shared,
    assessments: memoryAssessmentLists(),
    createEngine: (model, parameters) => engineWith(undefined, model, parameters),
  });
  const assessments: Assessment[] = [];
  for (const { config } of unwrap(expandSweep(unwrap(parseSweep(sweep)), null))) {
    let atRest: (status: string) => void = () => {};
    const rest = new Promise<string>((resolve) => (atRest = resolve));
    const started = await training.start({ ...config, data: { ...config.data, games: EMBEDDED } }, null, (event) => {
      if (event.kind === 'status' && ['finished', 'stopped', 'failed'].includes(event.status)) atRest(event.status);
    });
    expect(await rest).toBe('finished');
    unwrap(await measuring.open({ kind: 'run', id: unwrap(started).record.id, trainGames: 60 }));
    const asked = unwrap(parseSweep(sweep)).assess;
    assessments.push(unwrap(await runStudy(measuring, testbed, asked, EMBEDDED, () => {})).answer);
  }
  return assessments;
}

test('a sweep that was stopped goes on, and has the very numbers of the page', async () => {
  expect(await interrupted()).toBe(0);
  const went = run(ours);
  expect(went.stderr).toMatch(/going on from step/);
  expect(went.status).toBe(0);
  const lines = went.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ name, steps }) => [name, steps])).toEqual([
    ['gpt2-1x16-uci-60-games-seed-7', 40],
    ['gpt2-1x16-rap-50-60-games-seed-7', 40],
  ]);
  const swept = JSON.parse(readFileSync(at('swept/assessments.json'), 'utf8')) as Assessment[];
  const paged = await asThePage();
  expect(swept.map(({ perplexity, sets }) => ({ perplexity, sets }))).toEqual(
    paged.map(({ perplexity, sets }) => ({ perplexity, sets })),
  );
  // Who was assessed is told alike, too, but for the names of the run and of the games.
  expect(swept.map(({ subject }) => ({ ...subject, name: '', games: '' }))).toEqual(
    paged.map(({ subject }) => ({ ...subject, name: '', games: '' })),
  );
  // Six instances of both ranges from games and from random play: two tasks in UCI, four with piece names.
  expect(swept.map(({ sets }) => sets.map(({ answers }) => answers.length))).toEqual([
    [12, 12, 12, 12],
    [24, 24, 24, 24],
  ]);

  const again = run(ours);
  expect(again.stdout).toBe(went.stdout.replaceAll('"trained":true', '"trained":false'));
  expect(again.stderr).not.toMatch(/training|measuring/);
  const reported = run(['report', '--from', 'swept/assessments.json']);
  expect(JSON.parse(reported.stdout)).toMatchObject({ runs: lines.map(({ name }) => name) });
});

test('--equal flops gives a smaller model more steps, and the FLOPs of all are said before training', () => {
  const [base] = sweep.bases;
  const wider = { ...base, model: { ...base.model, width: 32 } };
  const { assess } = sweep;
  const equal = { version: 1, bases: [wider, base], steps: 8, equal: 'flops', notations: ['uci'], assess };
  writeFileSync(at('equal.json'), JSON.stringify(equal));
  const result = run(['sweep', '--config', 'equal.json', '--data', 'shards', '--out', 'equal']);
  expect(result.status, result.stderr).toBe(0);
  const steps = result.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { steps: number }).steps);
  expect(steps[0]).toBe(8);
  expect(steps[1]).toBeGreaterThan(8);
  expect(result.stderr.indexOf('GFLOPs in all')).toBeGreaterThan(0);
  expect(result.stderr.indexOf('GFLOPs in all')).toBeLessThan(result.stderr.indexOf('training.'));
});

test('what is wrong with a sweep is said before anything is trained', () => {
  const where = ['--data', 'shards', '--out', 'refused'];
  const cases: [string[], number, RegExp][] = [
    [['sweep', ...where], 2, /--preset/],
    [['sweep', ...where, '--config', 'sweep.json', '--seeds', '1'], 2, /leave out --seeds/],
    [['sweep', ...where, '--preset', 'tiny,huge'], 1, /"huge"/],
    [['sweep', ...where, '--preset', 'tiny', '--rap', '5,101'], 1, /notation/],
    [['sweep', ...where, '--preset', 'tiny', '--limits', 'S'], 1, /15000 training games/],
    [['sweep', ...where, '--preset', 'tiny', '--equal', 'time'], 1, /tokens.*flops.*parameters/],
    [['sweep', ...where, '--preset', 'tiny', '--limits', 'some'], 2, /--limits some/],
  ];
  for (const [args, status, expected] of cases) {
    const result = run(args);
    expect({ args, status: result.status }).toEqual({ args, status });
    expect(result.stderr).toMatch(expected);
  }
});
