import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';

const model = new URL('../../public/checkpoints/chess', import.meta.url).pathname;
const { at, run } = commandFolder('bigbench');

/** Runs the command on a task of these examples. */
function bigbench(examples: object[]) {
  const file = at('task.json');
  writeFileSync(file, JSON.stringify({ description: 'made by hand', examples }));
  const each = at('each.jsonl');
  return { ...run(['bigbench', '--model', model, file, '--each', each]), each };
}

test('the shipped model is asked, and the odd targets are told', () => {
  const { status, stdout, stderr, each } = bigbench([
    { input: 'g1', target: ['f3', 'h3'] },
    { input: 'e2e4 e7e5 f1', target: ['a6', 'b5', 'c4', 'd3', 'e2'] },
    { input: 'e2e4 e7e5 b1', target: ['d2'] },
    // 192 plies of knights going to and fro: 384 tokens are more than the model reads.
    { input: `${'g1f3 g8f6 f3g1 f6g8 '.repeat(48)}g1`, target: ['f3', 'h3'] },
  ]);
  expect(status).toBe(0);
  const result = JSON.parse(stdout) as Record<string, unknown>;
  expect(Object.keys(result).slice(0, 3)).toEqual(['n', 'accuracy', 'random']);
  // Legal first moves are no feat: the third's target is no knight's square that is free.
  expect(result).toMatchObject({ n: 3, accuracy: 2 / 3, tooLong: 1, disagreements: 1 });
  expect(result.random).toBeCloseTo((1 / 2 + 1 / 5 + 1) / 3, 12);
  expect(stderr).toContain('1 of 4 examples are longer');
  expect(stderr).toContain("Example 3: its targets are not the rules' (not legal: d2; legal but missing: a3 c3)");
  const lines = readFileSync(each, 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { right: boolean }).right)).toEqual([true, true, false]);
});

test('a task that is none ends with 1 and one line that names the example', () => {
  const { status, stdout, stderr } = bigbench([
    { input: 'g1', target: ['f3'] },
    { input: 'Nf3 g8', target: ['f6'] },
  ]);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/task\.json: example 2, input: Ply 1/);
});
