import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandFolder } from '../fixtures/command-line/folder.ts';
import { inShell } from '../fixtures/command-line/blindfold.ts';
import { EXAMPLES, exampleOf } from './examples.ts';

const { folder, at, run: command } = commandFolder('help');

const run = (path: string, ...more: string[]) => command([...path.split(' ').filter((word) => word !== ''), ...more]);

/** The commands that the help of a command lists. */
const listed = (path: string): string[] => {
  const { stdout } = run(path, '--help');
  const section = /\nCOMMANDS\n\n(.*?)\n\n/s.exec(stdout)?.[1] ?? '';
  return section.split('\n').flatMap((line) => /^ +([\w-]+) {2,}/.exec(line)?.[1] ?? []);
};

/** Every command that runs, "train" and "splat fine-tune". */
const commands = listed('').flatMap((name) => {
  const subCommands = listed(name);
  return subCommands.length === 0 ? [name] : subCommands.map((sub) => `${name} ${sub}`);
});

test('the help of every command names it whole, shows an example of it and has no colours when piped', () => {
  expect(commands.length).toBeGreaterThan(40);
  for (const path of commands) {
    const { status, stdout } = run(path, '--help');
    expect({ path, status }).toEqual({ path, status: 0 });
    expect(stdout).toContain(`USAGE blindfold ${path} `);
    const example = exampleOf(path);
    expect({ path, example }).toEqual({ path, example: expect.stringContaining(`blindfold ${path}`) });
    expect(stdout).toContain(`EXAMPLE\n\n  ${example}\n`);
    expect(stdout).not.toContain('\x1b');
  }
  for (const path of EXAMPLES) expect(commands).toContain(path);
});

test('an unknown option or command is answered with the nearest name', () => {
  for (const path of commands) {
    const { status, stderr } = run(path, '--engin', 'x');
    expect({ path, status }).toEqual({ path, status: 2 });
    expect(stderr).toMatch(new RegExp(`^blindfold ${path}: it has no use for "--engin"; see blindfold ${path} --help`));
  }
  expect(run('train', '--sede', '3').stderr).toContain('Did you mean --seed?');
  expect(run('splat fine-tune', '--stpes=3').stderr).toContain('Did you mean --steps?');
  expect(run('train', '--xylophone').stderr).not.toContain('Did you mean');
  expect(run('trian')).toMatchObject({ status: 2, stderr: expect.stringMatching(/"trian".*Did you mean train\?/) });
  expect(run('splat fine')).toMatchObject({ status: 2, stderr: expect.stringContaining('Did you mean fine-tune?') });
  expect(run('conjure').stderr).not.toContain('Did you mean');
});

/** Examples that are not run here, and why. */
const notRun: Readonly<Record<string, string>> = {
  sweep: 'minutes; cli/sweep.test.ts',
  'suite aggregate': 'files of another program; cli/commands/suite.test.ts',
  soundness: 'cli/ship.test.ts',
  'study soundness': 'cli/readme.test.ts',
  'suite run': 'cli/readme.test.ts',
  'suite evaluate': 'cli/readme.test.ts runs suite run',
  'suite surprisals': 'cli/commands/suite.test.ts',
  'suite compute-surprisals': 'the work of suite surprisals',
  'baseball trace': 'a season from the network; cli/commands/splat-games.test.ts',
  ship: 'a finished run with its record; cli/ship.test.ts',
};

test('every example runs in an empty folder', () => {
  const task = { examples: [{ input: 'e2e4 e7e5 g1', target: ['e2', 'f3', 'h3'] }] };
  writeFileSync(at('task.json'), JSON.stringify(task));
  const failed: { line: string; stderr: string }[] = [];
  for (const path of EXAMPLES) {
    if (notRun[path] !== undefined) continue;
    const line = exampleOf(path)!.replace('--steps 100', '--steps 4');
    const { status, stderr } = inShell(line, { cwd: folder });
    if (status !== 0) failed.push({ line, stderr });
  }
  expect(failed).toEqual([]);
});
