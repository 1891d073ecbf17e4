import { readFileSync, writeFileSync } from 'node:fs';
import { runCommand, type CommandDef } from 'citty';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';
import { listToy } from '../../fixtures/toy-study.ts';
import reportCommand from './report.ts';
import study from './study.ts';

const model = new URL('../../public/checkpoints/chess', import.meta.url).pathname;
const { at, run: command } = commandFolder('study');

let takeOff = () => {};
beforeAll(() => (takeOff = listToy()));
afterAll(() => takeOff());

/** The one line that a command prints. */
async function printed(command: CommandDef, args: string[]): Promise<Record<string, unknown>> {
  const lines: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    await runCommand(command, { rawArgs: args });
  } finally {
    out.mockRestore();
    logged.mockRestore();
  }
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]) as Record<string, unknown>;
}

const ask = (name: string, args: string[]) => {
  const commands = (study as { subCommands: () => Record<string, CommandDef> }).subCommands();
  return printed(commands[name], ['--model', model, ...args]);
};

it('a study that is on the list is a command; its assessments are kept, read back and reported', async () => {
  writeFileSync(at('game.txt'), 'e2e4 e7e5');
  const first = await ask('toy', ['--tokens-asked', '2', '--game', `@${at('game.txt')}`, '--out', at('one.json')]);
  expect(first).toMatchObject({ study: 'toy', model: 'chess' });
  const [row] = (first.tables as Record<string, { of: object; values: Record<string, number> }[]>).toy;
  expect(row.of).toEqual({ Model: 'chess', After: 'e2e4 e7e5' });
  expect(row.values.Tokens).toBe(2);
  const stored = JSON.parse(readFileSync(at('one.json'), 'utf8')) as { assessments: { answers: unknown[] }[] };
  expect(stored).toMatchObject({ study: 'toy', assessments: [{ game: 'e2e4 e7e5' }] });
  expect(stored.assessments[0].answers).toHaveLength(2);
  const start = await ask('toy', ['--game', '', '--out', at('two.json')]);
  expect(start).toMatchObject({ tables: { toy: [{ values: { Tokens: 3 } }] } });

  const asked = ['--from', `${at('one.json')},${at('two.json')}`, '--out', at('page.html'), '--json', at('both.json')];
  const made = { runs: ['chess', 'chess'], tables: ['toy'], figures: [], out: at('page.html') };
  expect(await printed(reportCommand as CommandDef, asked)).toEqual(made);
  const page = readFileSync(at('page.html'), 'utf8');
  expect(page).toContain('<h1>The opening</h1>');
  expect(page).toMatch(/>the first move</);
  const again = ['--from', at('both.json'), '--out', at('again.html')];
  expect(await printed(reportCommand as CommandDef, again)).toEqual({ ...made, out: at('again.html') });
});

it('what is wrong with settings or files is said with the setting, or with file and field', async () => {
  await expect(ask('toy', ['--tokens-asked', '11'])).rejects.toMatchObject({
    ...{ name: 'CLIError', message: expect.stringMatching(/^--tokens-asked: .*11\.$/) as string },
  });
  await expect(ask('toy', ['--tokens-asked', 'two'])).rejects.toMatchObject({
    ...{ name: 'CLIError', message: '--tokens-asked two: give a number.' },
  });
  await expect(ask('toy', ['--game', `@${at('nowhere.txt')}`])).rejects.toMatchObject({
    failure: { code: 'unreadable' },
  });
  await expect(ask('splat', ['--games', 'x'])).rejects.toMatchObject({
    failure: { code: 'does-not-apply', message: expect.stringContaining('"splat"') as string },
  });
  await ask('toy', ['--out', at('toy.json')]);
  const whole = JSON.parse(readFileSync(at('toy.json'), 'utf8')) as { assessments: object[] };
  const reported = (name: string, value: object, ...others: string[]) => {
    writeFileSync(at(name), JSON.stringify(value));
    const from = [at(name), ...others.map((other) => at(other))].join(',');
    return printed(reportCommand as CommandDef, ['--from', from, '--out', at('x.html')]);
  };
  const broken = { ...whole, assessments: [{ ...whole.assessments[0], answers: [{ token: 'e4', probability: 2 }] }] };
  await expect(reported('broken.json', broken)).rejects.toMatchObject({
    failure: { message: expect.stringMatching(/broken\.json: assessments\.0\.answers\.0\.probability: /) as string },
  });
  await expect(reported('other.json', { ...whole, study: 'conjuring' })).rejects.toMatchObject({
    failure: { code: 'no-study', message: expect.stringContaining('"conjuring"') as string },
  });
  await expect(reported('testbed.json', { assessments: [], games: null }, 'toy.json')).rejects.toMatchObject({
    failure: { code: 'other-study' },
  });
  await expect(reported('empty.json', { study: 'toy', assessments: [] })).rejects.toMatchObject({
    failure: { code: 'no-assessments' },
  });
});

it('the studies are listed, and help names the whole command and its settings', () => {
  const run = (args: string[]) => command(['study', ...args]);
  const alone = run([]);
  expect(alone.status).toBe(2);
  for (const name of ['testbed', 'splat', 'self-play', 'soundness', 'equivalence', 'bigbench'])
    expect(alone.stdout).toContain(`${name}`);
  const help = run(['self-play', '--help']);
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('blindfold study self-play ');
  expect(help.stdout).toContain('--warm-up');
  // Piped, it has no colours.
  expect(help.stdout).not.toContain('\u001b');
  expect(run(['self-play', '--sede', '3'])).toMatchObject({ status: 2 });
});
