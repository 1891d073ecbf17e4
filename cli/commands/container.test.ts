import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Stands for the image's root folder. */
const image = mkdtempSync(join(tmpdir(), 'blindfold-image-'));
afterAll(() => rmSync(image, { recursive: true }));

const ignored = read('.dockerignore').split('\n').filter(Boolean);
/** The instructions of the Dockerfile, a name and the rest each. */
const instructions = read('docker/Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, '')
  .trim()
  .split('\n')
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);

/** The environment of the image, with its folders within the one that stands for it. */
const env: Record<string, string> = { PATH: process.env.PATH!, HOME: image };
let workdir = image;
const within = (text: string): string => text.replace(/(^|[\s"':=])\/opt/g, `$1${image}/opt`);

function runThere(command: string): void {
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: workdir, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

/**
 * What `docker build` does, in a folder. Four things are not proved by it: the base image, `npm ci` within it (the
 * packages of this checkout stand in, and so does what their installation builds, which its script finds newer than its
 * sources), that this builds there, and the copy by Docker itself.
 */
function carryOut(name: string, rest: string): void {
  if (name === 'WORKDIR') {
    workdir = within(rest);
    mkdirSync(workdir, { recursive: true });
  } else if (name === 'COPY' && rest === '. .') {
    const filter = (path: string): boolean => !ignored.includes(relative(root, path));
    cpSync(root, workdir, { recursive: true, filter });
  } else if (name === 'RUN' && rest.startsWith('npm ci')) {
    symlinkSync(join(root, 'node_modules'), `${workdir}/node_modules`);
    for (const path of ['src/engine/wasm-kit/built', 'src/engine/runtimes/wasm/built', 'cli/built'])
      cpSync(join(root, path), join(workdir, path), { recursive: true });
    runThere((JSON.parse(read('package.json')) as { scripts: { prepare: string } }).scripts.prepare);
  } else if (name === 'RUN') {
    runThere(within(rest));
  } else if (name === 'ARG' || name === 'ENV')
    for (const [, key, value] of within(rest).matchAll(/(\w+)="?([^"\s]*)"?/g))
      env[key] = value.replace('${PATH}', env.PATH);
  else if (name !== 'FROM') throw new Error(`${name} ${rest}: the test does not know this instruction`);
}

// The script that runs in a container is one of a POSIX shell.
describe.skipIf(process.platform === 'win32')('a container made by docker/Dockerfile (needs a POSIX shell)', () => {
  beforeAll(() => {
    for (const [name, rest] of instructions) carryOut(name, rest);
    // In a container this is the path that the script knows.
    env.BLINDFOLD = join(image, 'opt/blindfold');
  });

  const run = (command: string, args: readonly string[] = [], input = '') =>
    spawnSync(command, args, { cwd: workdir, env, input, encoding: 'utf8' });
  const sentences = 'e2e4 e7e5\ne2e4 aorsnarnt\n';

  test('takes nothing of the checkout that git ignores, nor its history', () => {
    for (const path of ['.git', '.cache', 'dist', 'test-results']) {
      expect(ignored).toContain(path);
      expect(existsSync(join(image, 'opt/blindfold', path))).toBe(false);
    }
    expect(ignored).toContain('node_modules');
  });

  test('has node of the version that the lab needs, with the kernels compiled and the command line bundled', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const [, version] = /^node:(\d+)/.exec(instructions.find(([name]) => name === 'FROM')![1])!;
    expect(engines.node).toBe(`>=${version}`);
    const built = join(image, 'opt/blindfold/src/engine/runtimes/wasm/built');
    expect(readdirSync(built)).toContain('plain.wasm');
    expect(existsSync(join(built, '../interpreter.as.ts'))).toBe(true);
    expect(readdirSync(join(image, 'opt/blindfold/cli/built'))).toContain('main.mjs');
    expect(run('tokenize', ['-'], sentences).stderr).not.toContain('kernels built');
  });

  test('prints its spec, tokens, unknown words and surprisals under the names of lm-zoo', () => {
    const spec = JSON.parse(run('spec').stdout) as { image: { supported_features: Record<string, boolean> } };
    expect(Object.values(spec.image.supported_features)).toEqual([true, true, true, true, true]);
    expect(run('tokenize', ['/dev/stdin'], sentences).stdout).toBe('<s> e2 e4 e7 e5\n<s> e2 e4 <pad>\n');
    const file = join(image, 'sentences.txt');
    writeFileSync(file, sentences);
    expect(run('unkify', [file]).stdout).toBe('0 0 0 0 0\n0 0 0 1\n');
    const table = run('get_surprisals', [file]).stdout.trim().split('\n');
    expect(table).toHaveLength(10);
    expect(table[2]).toMatch(/^1\t2\te2\t\d+\.\d{6}$/);
  });

  test('writes predictions, and reads another checkpoint where one is mounted', () => {
    const out = join(image, 'out.hdf5');
    expect(run('get_predictions.hdf5', ['/dev/stdin', out], sentences).status).toBe(0);
    expect(readFileSync(out).subarray(1, 4).toString()).toBe('HDF');
    const nameOf = (ran: { stdout: string }) => (JSON.parse(ran.stdout) as { name: string }).name;
    const before = nameOf(run('spec'));
    env.LMZOO_CHECKPOINT_PATH = join(root, 'public/checkpoints/chess-small');
    expect([before, nameOf(run('spec'))]).toEqual(['checkpoint', 'chess-small']);
  });
});
