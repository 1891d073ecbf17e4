import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandFolder, jsonOf } from '../../fixtures/command-line/folder.ts';
import { tinyGpt2 } from '../../fixtures/sample-run.ts';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { presetNamed } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { randomGame } from '../../src/domains/chess/rules/random-game.ts';
import { uciLine } from '../../src/domains/chess/replay.ts';
import { checkpointName } from '../../src/training/checkpoint-store.ts';
import { decodeCheckpoint, type Checkpoint } from '../../src/training/checkpoint.ts';

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const hasTorch = spawnSync(PYTHON, ['-c', 'import torch, transformers, safetensors, numpy']).status === 0;
const needs = hasTorch ? '' : ' (needs torch, transformers, safetensors and numpy)';
/** What scripts/cpu-training compiles its kernels with, and runs them on. */
const hasKernels =
  hasTorch &&
  spawnSync(PYTHON, ['-c', 'import ninja']).status === 0 &&
  spawnSync('c++', ['--version']).status === 0 &&
  existsSync('/proc/cpuinfo') &&
  readFileSync('/proc/cpuinfo', 'latin1').includes('avx512_bf16');
const kernelNeeds = hasKernels ? '' : ' (needs torch, ninja, a C++ compiler and AVX-512 with bfloat16)';

const { at, run: command } = commandFolder('torch-job');

const STEPS = 14;
const MIDDLE = 7;
const preset = presetNamed('plain')!.config;
const plain: RunConfig = {
  ...preset,
  notation: 'uci',
  model: tinyGpt2({ layers: 2, context: 48 }),
  optimizer: {
    ...{ kind: 'adamw', learningRate: 0.01, beta1: 0.9, beta2: 0.98, epsilon: 1e-8, weightDecay: 0.1, clipNorm: 1 },
  },
  schedule: { steps: STEPS, warmup: 0.2, floor: 0.1, epochs: null, patience: null, keep: 'last' },
  evaluation: { every: 1_000_000, games: 2, instances: 2 },
  batch: 5,
  checkpointEvery: MIDDLE,
  seed: 12,
};
const muon: RunConfig['optimizer'] = {
  ...plain.optimizer,
  ...{ kind: 'muon', matrixRate: 0.02, matrixDecay: 0.01, momentum: 0.95, momentumStart: 0.85, momentumSteps: 9 },
};
const modern = { layers: 2, width: 16, heads: 2, mlp: 24, context: 48, rotaryBase: 100 } as const;
const runs: Record<string, RunConfig> = {
  'gpt2-adamw': plain,
  'gpt2-slots-window-muon': {
    ...plain,
    notation: 'rap:30',
    objective: 'legal',
    model: {
      ...plain.model,
      kind: 'gpt2',
      slots: true,
      window: 9,
      start: 'zero-out',
      tied: false,
    } as RunConfig['model'],
    optimizer: muon,
  },
  'qwen3-slots-window-muon': {
    ...plain,
    notation: 'rap:40',
    pieceWeight: 0.7,
    model: { ...modern, kind: 'qwen3', window: 7, slots: true, tied: true, shift: 0 },
    optimizer: muon,
  },
  'lfm2-slots-adamw': {
    ...plain,
    notation: 'rap:15',
    predictNames: false,
    objective: 'legal',
    legalWeight: 8,
    model: {
      ...{ kind: 'lfm2', pattern: 'ca', width: 16, heads: 2, mlp: 24, taps: 3 },
      ...{ context: 48, rotaryBase: 100, slots: true, tied: false },
    },
  },
};

const run = (...args: string[]) => command(args);
const done = (...args: string[]): unknown => jsonOf(run(...args));
const checkpoint = (...path: string[]): Checkpoint => unwrap(decodeCheckpoint(readFileSync(at(...path))));
const difference = (a: Float32Array, b: Float32Array) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));

/** Trains a config by the command, in a process that ends with the run. */
function trainedHere(name: string): Checkpoint {
  const paths = ['--config', at(`${name}.json`), '--data', at('games.uci.txt'), '--out', at(`here-${name}`)];
  const args = ['cli/blindfold.mjs', 'train', '--engine', 'wasm', ...paths];
  const cwd = new URL('../../', import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return checkpoint(`here-${name}`, checkpointName(STEPS));
}

/** Trains a job's folder with so many processes, gloo among them, and gives its last checkpoint. */
function torch(job: string, processes: number): Checkpoint {
  const launch =
    processes === 1 ? [] : ['-m', 'torch.distributed.run', '--standalone', '--nproc-per-node', `${processes}`];
  const env = { ...process.env, CUDA_VISIBLE_DEVICES: '', OMP_NUM_THREADS: '1' };
  const { status, stderr } = spawnSync(PYTHON, [...launch, at(job, 'train.py')], { encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  return checkpoint(job, checkpointName(STEPS));
}

beforeAll(() => {
  const lines = Array.from({ length: 40 }, (_, i) => uciLine(randomGame(seededRandom('torch', i), 12 + (i % 20))));
  writeFileSync(at('games.uci.txt'), `${lines.join('\n')}\n`);
  for (const [name, config] of Object.entries(runs)) writeFileSync(at(`${name}.json`), JSON.stringify(config));
});

describe.skipIf(!hasTorch).each(Object.keys(runs))(`a run of %s that PyTorch takes up${needs}`, (name) => {
  it('has the losses that it has here, from its beginning and from the middle, on one process and on two', () => {
    const data = ['--data', 'games.uci.txt'];
    const here = trainedHere(name);
    const job = `job-${name}`;
    done('export', '--to', 'torch-job', '--config', `${name}.json`, ...data, '--out', job);
    cpSync(at(job), at(`${job}-two`), { recursive: true });
    const middle = ['--model', join(`here-${name}`, checkpointName(MIDDLE)), '--data', at('games.uci.txt')];
    done('export', '--to', 'torch-job', ...middle, '--out', `${job}-middle`);

    const found = { one: torch(job, 1), two: torch(`${job}-two`, 2), middle: torch(`${job}-middle`, 1) };
    const losses = here.curve.losses();
    const differences = Object.values(found).map(({ curve }) => difference(losses, curve.losses()));
    expect(here.curve.length).toBe(STEPS);
    for (const [i, { tokensSeen, optimizer, curve }] of Object.values(found).entries()) {
      expect(curve.length).toBe(STEPS);
      expect({ tokensSeen, step: optimizer.step }).toEqual({ tokensSeen: here.tokensSeen, step: STEPS });
      expect(differences[i]).toBeLessThan(1e-3);
    }
    expect(existsSync(at(job, 'games', 'manifest.json'))).toBe(true);

    const imported = done('import', job, '--out', `back-${name}`, '--engine', 'wasm') as { maxLogitDifference: number };
    expect(imported.maxLogitDifference).toBeLessThan(1e-4);
    expect(checkpoint(`back-${name}`, checkpointName(STEPS)).curve.losses()).toEqual(found.one.curve.losses());
    const { record } = JSON.parse(readFileSync(at(`back-${name}`, 'blindfold.json'), 'utf8')) as {
      record: { step: number };
    };
    expect(record.step).toBe(STEPS);
  });
});

describe.skipIf(!hasKernels)(`scripts/cpu-training${kernelNeeds}`, () => {
  it('takes the same steps as the job, up to the rounding of 16-bit products', () => {
    const name = 'lfm2-slots-muon-wide';
    const { context } = plain.model;
    const model = { ...runs['lfm2-slots-adamw'].model, pattern: 'caa', width: 48, heads: 2, mlp: 48, context };
    const config = { ...runs['lfm2-slots-adamw'], model, optimizer: muon };
    writeFileSync(at(`${name}.json`), JSON.stringify(config));
    const losses = trainedHere(name).curve.losses();
    done('export', '--to', 'torch-job', '--config', `${name}.json`, '--data', 'games.uci.txt', '--out', name);
    const script = new URL('../../scripts/cpu-training/train.py', import.meta.url).pathname;
    const { status, stderr } = spawnSync(PYTHON, [script, at(name)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const found = checkpoint(name, checkpointName(STEPS)).curve.losses();
    expect(losses[0] - losses[STEPS - 1]).toBeGreaterThan(0.5);
    expect(difference(losses, found)).toBeLessThan(0.03);
  });
});

it.each([
  ['objective "valid"', { ...plain, objective: 'valid' }],
  ['schedule.patience 2', { ...plain, schedule: { ...plain.schedule, patience: 2 } }],
  ['schedule.keep "best"', { ...plain, schedule: { ...plain.schedule, keep: 'best' } }],
  [
    'model.shift 2',
    { ...plain, model: { ...modern, kind: 'qwen3', window: null, slots: false, tied: true, shift: 2 } },
  ],
  ['model.kind "lstm"', presetNamed('lstm')!.config],
])('refuses %s by name, and writes nothing', (setting, config) => {
  writeFileSync(at('refused.json'), JSON.stringify(config));
  const args = ['--config', 'refused.json', '--data', 'games.uci.txt', '--out', 'refused'];
  const { status, stderr } = run('export', '--to', 'torch-job', ...args);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(setting) });
  expect(existsSync(at('refused'))).toBe(false);
});
