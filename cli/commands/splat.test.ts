import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';

const { at, run: command } = commandFolder('splat');

const run = (args: string[], input = '') => command(['splat', ...args], input);

test('games are simulated, asked about and checked, packed or not', () => {
  const games = run(['simulate', '--games', '30', '--seed', '5']).stdout;
  expect(games.trim().split('\n')).toHaveLength(30);
  writeFileSync(at('games.txt'), games);
  const made = run(['make-questions', 'games.txt', '--domain', 'baseball', '--per-game', '4', '--mode', 'corrected']);
  const asJson = games
    .trim()
    .split('\n')
    .map((tokens) => JSON.stringify({ id: 'x', tokens }));
  // What begins with "<" could be a page of XML; verbs on standard input are told from it.
  const piped = run(['make-questions', '-', '--domain', 'baseball', '--per-game', '4', '--mode', 'corrected'], games);
  expect(piped.stdout === made.stdout).toBe(true);
  const again = run(
    ['make-questions', '-', '--domain', 'baseball', '--per-game', '4', '--mode', 'corrected'],
    `{"id":"bad"}\n${asJson.join('\n')}`,
  );
  expect(again.stderr).toContain('standard input, line 1: there is no field "tokens"');
  expect(again.stdout === made.stdout).toBe(true);
  writeFileSync(at('questions.txt.gz'), gzipSync(made.stdout));
  const checked = run(['check', 'questions.txt.gz', '--mode', 'corrected']);
  expect(checked.status).toBe(0);
  const { questions } = JSON.parse(checked.stdout) as { questions: Record<string, { n: number; agree: number }> };
  expect(Object.keys(questions)).toEqual(['assignment', 'winning', 'goal']);
  for (const { n, agree } of Object.values(questions)) {
    expect(n).toBeGreaterThan(10);
    expect(agree).toBe(n);
  }
});

test('lines with questions of one’s own are checked with these', () => {
  const own = [{ name: 'crosses', indicator: 'Q9', expression: 'count("X")' }];
  writeFileSync(at('own.json'), JSON.stringify(own));
  const made = run([
    'make-questions',
    'invented:60:test',
    '--domain',
    'noughts',
    '--per-game',
    '9',
    '--own',
    'own.json',
  ]);
  writeFileSync(at('own.txt'), made.stdout);
  const asked = made.stdout.split('\n').filter((line) => line.includes(' Q9 ')).length;
  expect(asked).toBeGreaterThan(0);
  const { questions } = JSON.parse(run(['check', 'own.txt', '--own', 'own.json']).stdout) as {
    questions: Record<string, { n: number; agree: number }>;
  };
  expect(questions.crosses).toEqual({ n: asked, agree: asked });
  expect(run(['check', 'own.txt'])).toMatchObject({ status: 1, stdout: '' });
  writeFileSync(at('nonsense.json'), JSON.stringify([{ ...own[0], expression: 'nonsense' }]));
  const nonsense = run(['check', 'own.txt', '--own', 'nonsense.json']);
  expect(nonsense).toMatchObject({ status: 1, stderr: expect.stringContaining('asked in no game. chess:') as string });
});

test('lines that are wrong name file and line, and wrong usage is told apart', () => {
  writeFileSync(at('bad.txt'), '[start] e2e4 [sep] Q5 A5 [end]\n[start] e2e4 [sep] Q5');
  const failed = run(['check', 'bad.txt']);
  expect(failed.status).toBe(1);
  expect(failed.stdout).toBe('');
  expect(failed.stderr.trim()).toMatch(/^blindfold splat check: bad\.txt, line 2: .*cut off/);
  const none = run(['make-questions', 'bad.txt', '--domain', 'baseball']);
  expect(none.status).toBe(1);
  expect(none.stderr).toContain('There are no games of baseball in bad.txt');
  writeFileSync(at('chess.txt'), 'e2e4 e7e5\n');
  const other = run(['make-questions', 'chess.txt', '--domain', 'baseball']);
  expect(other.status).toBe(1);
  expect(other.stderr).toContain('chess.txt: this holds games of chess; choose Chess first.');
  const many = Array.from({ length: 17 }, (_, i) => ({ name: `q${i}`, indicator: 'Q9', expression: 'legal' }));
  writeFileSync(at('many.json'), JSON.stringify(many));
  const tooMany = run(['make-questions', 'bad.txt', '--domain', 'chess', '--own', 'many.json']);
  expect(tooMany).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('at most 16 custom questions') as string,
  });
  expect(run(['check', 'nothing.txt'])).toMatchObject({ status: 1 });
  expect(run(['check', 'bad.txt', '--mode', 'other'])).toMatchObject({ status: 2 });
  expect(run(['make-questions', 'bad.txt', '--domain', 'go'])).toMatchObject({ status: 2 });
});
