import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { beforeAll, expect, it } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';
import { gameLines } from '../../fixtures/given-games.ts';
import { presetNamed } from '../../src/config/presets.ts';

/** What a run does with the folder that --out names: nothing of what lies there may be lost. */
const ROOT = new URL('../../', import.meta.url).pathname;
const { at, run } = commandFolder('train-folder');
const train = (...args: string[]) => run(['train', '--engine', 'wasm', ...args]);

/** A run under way, with what it has said so far on standard error and, in the end, on standard output. */
function started(...args: string[]) {
  const child = spawn(process.execPath, ['cli/blindfold.mjs', 'train', '--engine', 'wasm', ...args], { cwd: ROOT });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const says = async (expected: string): Promise<void> => {
    while (!output.err.includes(expected)) {
      if (child.exitCode !== null) throw new Error(output.err);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { child, told: output, ended, says };
}

/** Files of a folder with their content. */
function contents(name: string): Record<string, string> {
  return Object.fromEntries(readdirSync(at(name)).map((file) => [file, readFileSync(at(name, file), 'latin1')]));
}

beforeAll(() => {
  for (const name of ['games', 'others']) writeFileSync(at(`${name}.uci.txt`), gameLines(60, name, 12));
  const preset = presetNamed('plain')!.config;
  const config = {
    ...preset,
    model: { ...preset.model, layers: 1, width: 16, heads: 2, context: 32 },
    schedule: { ...preset.schedule, steps: 4 },
    evaluation: { every: 1_000_000, games: 2, instances: 2 },
    batch: 2,
  };
  writeFileSync(at('four.json'), JSON.stringify(config));
  const long = { ...config, schedule: { ...config.schedule, steps: 1_000_000 } };
  writeFileSync(at('long.json'), JSON.stringify(long));
});

const games = () => ['--data', at('games.uci.txt')];

it('leaves a finished model where it is when the run cannot go on', () => {
  expect(train(...games(), '--config', at('four.json'), '--out', at('finished')).status).toBe(0);
  const before = contents('finished');
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['model.safetensors', 'blindfold.json', 'README.md']));
  const resume = ['--resume', '--out', at('finished')];
  expect(train(...games(), ...resume, '--steps', '3').stderr).toContain('is at step 4 already');
  expect(train('--data', at('missing.uci.txt'), ...resume).stderr).toContain('missing.uci.txt');
  expect(train('--data', at('others.uci.txt'), ...resume).stderr).toContain('these are not the games');
  expect(contents('finished')).toEqual(before);
  // Where it goes on, the model of before is replaced by the longer run's.
  expect(train(...games(), ...resume, '--steps', '6').status).toBe(0);
  expect(JSON.parse(readFileSync(at('finished', 'blindfold.json'), 'utf8'))).toMatchObject({ record: { step: 6 } });
});

it('refuses a folder with files that its model would replace, and leaves no folder behind where it fails', () => {
  mkdirSync(at('mine'));
  writeFileSync(at('mine', 'README.md'), 'my notes');
  const refused = train(...games(), '--config', at('four.json'), '--out', at('mine'));
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('already holds README.md') });
  expect(contents('mine')).toEqual({ 'README.md': 'my notes' });
  expect(train('--data', at('missing.uci.txt'), '--preset', 'nano', '--out', at('no', 'where')).status).toBe(1);
  expect(existsSync(at('no'))).toBe(false);
});

it('has one run in a folder at a time, and stops with no perplexity of other weights', async () => {
  const first = started(...games(), '--config', at('long.json'), '--out', at('shared'));
  await first.says('step 0: dev perplexity');
  const second = train(...games(), '--config', at('four.json'), '--out', at('shared'));
  expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining('is in use by another run') });
  first.child.kill('SIGINT');
  expect(await first.ended).toBe(0);
  const result = JSON.parse(first.told.out) as { steps: number; devPerplexity: number | null };
  // Only the random weights of step 0 were measured.
  expect(result.steps).toBeGreaterThan(0);
  expect(result.devPerplexity).toBeNull();
  expect(first.told.err).toContain(`No perplexity was measured at step ${result.steps}`);
  expect(readdirSync(at('shared')).filter((name) => name.startsWith('.'))).toEqual([]);
});

it('takes over the lock of a dead process and clears away what it left half written', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  mkdirSync(at('dead'));
  writeFileSync(at('dead', '.blindfold.lock'), `${pid} 12345 ${hostname()}`);
  writeFileSync(at('dead', `.checkpoint-000000002.safetensors.${pid}.part`), 'half');
  const taken = train(...games(), '--config', at('four.json'), '--out', at('dead'));
  expect(taken.status, taken.stderr).toBe(0);
  expect(readdirSync(at('dead')).filter((name) => name.startsWith('.'))).toEqual([]);
  // A number that another process has by now, and a run on another machine.
  writeFileSync(at('dead', '.blindfold.lock'), `${process.pid} 0 ${hostname()}`);
  expect(train(...games(), '--resume', '--out', at('dead')).status).toBe(0);
  writeFileSync(at('dead', '.blindfold.lock'), `${pid} 12345 elsewhere`);
  const held = train(...games(), '--resume', '--out', at('dead'));
  expect(held).toMatchObject({ status: 1, stderr: expect.stringContaining(`(process ${pid} on elsewhere)`) });
});
