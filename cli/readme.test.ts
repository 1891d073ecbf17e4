import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandFolder } from '../fixtures/command-line/folder.ts';
import { inShell } from '../fixtures/command-line/blindfold.ts';
import { presets } from '../src/config/presets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const { folder, at } = commandFolder('readme');

/** The lines of all shell blocks, in order: later ones use the files of earlier ones. */
const lines = [...readme.matchAll(/^```(\w*)\n(.*?)^```/gms)]
  .filter(([, language]) => language === '' || language === 'sh')
  .flatMap(([, , block]) => block.trim().split('\n'));

/** Lines that are not run, by how they begin, and why. */
const notRun: readonly [line: string, why: string][] = [
  ['git clone', 'the network'],
  ['cd blindfold', 'it is the checkout of the line before'],
  ['npm start', 'it serves the page until it is stopped'],
  ['npm run dev', 'it serves the page until it is stopped'],
  ['npm test', 'it would run this test'],
  ['npm pack', 'cli/installed.test.ts'],
  ['npm install -g', 'cli/installed.test.ts'],
  ['cd job && torchrun', 'PyTorch; cli/commands/torch-job.test.ts runs it where that is there'],
  ['npm run -s blindfold -- import job', 'it takes what torchrun has trained; cli/commands/torch-job.test.ts'],
  [
    'npm run -s blindfold -- splat fine-tune --model FOLDER',
    'a GPT-2 from the network; cli/commands/splat-text.test.ts',
  ],
  ['npm run -s blindfold -- splat evaluate --model english', 'the model of the line before'],
  ['npm run -s blindfold -- baseball trace 2019.zip', 'a season from the network; cli/commands/splat-games.test.ts'],
  ['npm run -s blindfold -- prepare 2019.zip', 'a season from the network'],
  ['npm run -s blindfold -- train --data season', 'the season'],
  ['npm run -s blindfold -- splat fine-tune --model baseball', 'the season'],
  ['npm run -s blindfold -- splat make-questions season', 'the season'],
  ['npm run -s blindfold -- splat evaluate --model baseball-asked', 'the season'],
];

/** What would take minutes, and what is run instead. */
const shorter: readonly [written: string, run: string][] = [
  ['--preset nano --minutes 1', '--config small.json --steps 4'],
  ['--resume --steps 1000', '--resume --steps 6'],
  [
    '--rap 5,25 --steps 300 --data public/data/chess-selfplay',
    '--rap 5 --steps 2 --instances 5 --perplexity-games 5 --data my-games',
  ],
  ['suite run chess ', 'suite run chess-small '],
  ['--preset splat-tlm-small --steps 300', '--preset splat-nano --steps 4'],
  ['--own custom.json --steps 300', '--own custom.json --steps 4'],
];

/** Files that no example makes: what README says of where they are from. */
const fromElsewhere: Readonly<Record<string, string>> = {
  FOLDER: 'FOLDER is a Hugging Face folder',
  '2019.zip': 'save the zip as `2019.zip`',
};

const reasonNotToRun = (line: string): string | undefined => notRun.find(([begins]) => line.startsWith(begins))?.[1];

test('every example of README runs as it is written, or is listed with what it needs', () => {
  for (const name of ['public', 'fixtures']) symlinkSync(join(root, name), at(name));
  const model = { kind: 'gpt2', layers: 1, width: 16, heads: 2, context: 256, dropout: 0 };
  const evaluation = { every: 4, games: 3, instances: 4 };
  const config = { ...presets[0].config, model, batch: 2, evaluation };
  writeFileSync(at('small.json'), JSON.stringify(config));
  let run = 0;
  for (const line of lines) {
    if (reasonNotToRun(line) !== undefined) continue;
    const short = shorter.reduce((text, [written, instead]) => text.replace(written, instead), line);
    const { status, stderr } = inShell(short, { cwd: folder });
    expect({ short, status, stderr: status === 0 ? '' : stderr }).toEqual({ short, status: 0, stderr: '' });
    run++;
  }
  expect(run).toBeGreaterThan(20);
});

test('every file that an example takes is made by an earlier one, lies in the repository, or README says where it is from', () => {
  const made = new Set<string>();
  const missing: string[] = [];
  const takes =
    /(?<=--(?:model|models|data|games|avoid|probes|from|questions|own|trained-on) |(?:lm-zoo|prepare|check|trace|import|suite export) )[\w./-]+/g;
  for (const line of lines) {
    for (const [path] of line.matchAll(takes)) {
      const elsewhere = fromElsewhere[path];
      const known = elsewhere === undefined ? made.has(path.split('/')[0]) : readme.includes(elsewhere);
      if (!known && path !== 'invented' && !existsSync(join(root, path))) missing.push(`${path} in: ${line}`);
    }
    for (const [path] of line.matchAll(/(?<=--(?:out|each) |> )[\w./-]+/g)) made.add(path);
  }
  expect(missing).toEqual([]);
  expect(made.size).toBeGreaterThan(15);
});

test('what is listed as not run, or as run shorter, is in README', () => {
  for (const [begins] of notRun) expect(lines.filter((line) => line.startsWith(begins))).not.toEqual([]);
  for (const [written] of shorter) expect(lines.join('\n')).toContain(written);
  for (const path of Object.keys(fromElsewhere)) expect(lines.join('\n')).toContain(path);
});
