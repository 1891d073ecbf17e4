import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presets } from '../src/config/presets.ts';

/**
 * The package as npm packs and installs it, but for the download: unpacked beside links to `dependencies` alone, so that
 * what only a checkout has cannot be found.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
let folder = '';
let installed = '';
let packed: string[] = [];

function spawned(command: string, args: string[], cwd: string, input = '') {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The command as npm links it, in a folder without any of our files. */
function blindfold(args: string[], input = '') {
  const program = join(folder, 'node_modules/.bin/blindfold');
  const result = spawned(process.execPath, [program, ...args], join(folder, 'elsewhere'), input);
  expect({ args, ...result, stderr: result.status === 0 ? '' : result.stderr }).toMatchObject({
    status: 0,
    stderr: '',
  });
  return result.stdout;
}

beforeAll(() => {
  // A blank in the path, as in many a home folder.
  folder = mkdtempSync(join(tmpdir(), 'blindfold installed '));
  const told = spawned('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], root);
  expect(told).toMatchObject({ status: 0 });
  const modules = join(folder, 'node_modules');
  for (const path of ['.bin', '../elsewhere']) mkdirSync(join(modules, path), { recursive: true });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  expect(spawned('tar', ['-xzf', tarball, '-C', modules], folder)).toMatchObject({ status: 0 });
  installed = join(modules, 'package');
  packed = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  for (const name of Object.keys(about.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir');
  }
  symlinkSync('../package/cli/blindfold.mjs', join(modules, '.bin/blindfold'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package has its kernels, models, games and suites, and nothing that only a checkout needs', () => {
  for (const path of ['cli/built/main.mjs', 'src/engine/runtimes/wasm/built/relaxed-shared.wasm', 'LICENSE'])
    expect(packed).toContain(path);
  const needless = /\.ts$|\.svelte$|^(?!cli|src\/.*\.wasm$|public|package\.json|README\.md|LICENSE)|\.png$|^\./;
  expect(packed.filter((path) => needless.test(path))).toEqual([]);
});

test('every import of the package is of a file in it, of Node or of a dependency', () => {
  const wrong: string[] = [];
  for (const path of packed.filter((name) => /\.m?[jt]s$/.test(name))) {
    const text = readFileSync(join(installed, path), 'utf8');
    for (const { fileName: name } of ts.preProcessFile(text, true, true).importedFiles) {
      const [file] = name.split('?');
      const found = file.startsWith('.')
        ? existsSync(join(installed, dirname(path), file))
        : builtinModules.includes(file.replace(/^node:/, '').split('/')[0]) ||
          Object.hasOwn(
            about.dependencies,
            file
              .split('/')
              .slice(0, file.startsWith('@') ? 2 : 1)
              .join('/'),
          );
      if (!found) wrong.push(`${path}: ${name}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the installed command explains itself, asks the rules, probes a shipped model and trains', () => {
  expect(blindfold(['--help'])).toContain('make-probes');
  expect(JSON.parse(blindfold(['legal'], 'e2e4 e7e5\n'))).toMatchObject({ check: false });
  expect(blindfold(['lm-zoo', 'list', '--short'])).toContain('chess-small');
  const probes = blindfold(['make-probes', '--games', 'chess-selfplay:test', '--range', '5-50', '--n', '5']);
  writeFileSync(join(folder, 'elsewhere/probes.jsonl'), probes);
  const scores = JSON.parse(blindfold(['probe', '--model', 'chess-small', '--probes', 'probes.jsonl'])) as object;
  expect(scores).toMatchObject({ 'end-actual': { n: 5 } });
  const model = { kind: 'gpt2', layers: 1, width: 16, heads: 2, context: 256, dropout: 0 };
  const evaluation = { every: 2, games: 3, instances: 4 };
  const data = { ...presets[0].config.data, limit: 60 };
  const config = { ...presets[0].config, data, model, batch: 2, evaluation };
  writeFileSync(join(folder, 'elsewhere/config.json'), JSON.stringify(config));
  writeFileSync(
    join(folder, 'elsewhere/sweep.json'),
    JSON.stringify({
      ...{ version: 1, bases: [config], steps: 2 },
      assess: { ranges: ['short'], instances: 2, perplexityGames: 2, randomPlay: false, seed: 1 },
    }),
  );
  // A sweep starts the command again, as `train`.
  const swept = ['--config', 'sweep.json', '--data', 'chess-selfplay', '--out', 'swept'];
  const trained = JSON.parse(blindfold(['sweep', ...swept])) as object;
  expect(trained).toMatchObject({ trained: true, steps: 2 });
});
