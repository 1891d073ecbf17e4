import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guessingEngine } from '../../../fixtures/guessing-engine.ts';
import { sharedData } from '../../../fixtures/shared-data.ts';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { vocabulary } from '../../domains/chess/notation/vocabulary.ts';
import type { Engine } from '../../engine/engine.ts';
import { bigbench } from './bigbench.ts';
import { LONGEST_TASK, parseBigbench } from './bigbench-task.ts';

const rap = unwrap(chess.notation('rap:15'));
const ap = unwrap(chess.notation('ap'));
/** Bishop and rook after 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5, where White may castle; lists by hand. */
const opening = 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5';
const examples = [
  { input: `${opening} e1`, target: ['f1', 'e2'] },
  { input: `${opening} h1`, target: ['g1', 'f1'] },
  { input: 'g1', target: ['f3', 'h3'] },
];
const text = (changes: object = {}) =>
  JSON.stringify({ canary: ['x'], description: 'd', name: 'made', examples, ...changes });
const task = () => unwrap(parseBigbench(text(), 'made.json'));

/** Says the given tokens, one for each prompt's last token. */
function saying(answers: Record<string, string>, context = 64) {
  const asked: string[][] = [];
  const engine = {
    model: { context },
    async leafLogits(prefixes: readonly (readonly number[])[], leaves: readonly (readonly number[])[]) {
      return prefixes.map((prefix, row) => ({
        root: new Float32Array(77),
        leaves: leaves[row].map((leaf) => {
          asked.push([...prefix, leaf].map((id) => vocabulary.tokens[id]));
          const logits = new Float32Array(77);
          logits[vocabulary.id('K')!] = 9;
          logits[vocabulary.id(answers[vocabulary.tokens[leaf]])!] = 5;
          return logits;
        }),
      }));
    },
  } as unknown as Engine;
  return { engine, asked };
}

describe('bigbench', () => {
  it('counts likeliest tokens that are targets, piece names muted', async () => {
    const { engine } = saying({ e1: 'g1', h1: 'f1', g1: 'f3' });
    const report = unwrap(await bigbench(engine, rap, task()));
    expect(report).toMatchObject({ n: 3, accuracy: 2 / 3, tooLong: 0, disagreements: [] });
    expect(report.random).toBeCloseTo((1 / 2 + 1 / 2 + 1 / 2) / 3, 12);
    // Wilson's interval of 2 of 3, from its closed form.
    expect(report.ci95[0]).toBeCloseTo(0.2077, 3);
    expect(report.ci95[1]).toBeCloseTo(0.9385, 3);
    expect(report.answers.map(({ example, top, right }) => [example, top, right])).toEqual([
      [0, 'g1', false],
      [1, 'f1', true],
      [2, 'f3', true],
    ]);
  });

  it('gives an oracle the piece before the square, and mutes nothing', async () => {
    const { engine, asked } = saying({ e1: 'e2', h1: 'f1', g1: 'f3' });
    const report = unwrap(await bigbench(engine, ap, task()));
    expect(report.accuracy).toBe(0);
    expect(report.answers[0].top).toBe('K');
    expect(asked.map((tokens) => tokens.slice(-2).join(' ')).sort()).toEqual(['K e1', 'N g1', 'R h1']);
    expect(asked.find((tokens) => tokens.length > 4)!.slice(0, 4)).toEqual(['<s>', 'P', 'e2', 'e4']);
  });

  it('leaves out what does not fit, and fails where nothing does', async () => {
    // <s>, six moves of two squares, the start square: 14 tokens.
    const fitting = unwrap(await bigbench(saying({ e1: 'e2', h1: 'h2', g1: 'f3' }, 14).engine, rap, task()));
    expect(fitting).toMatchObject({ n: 3, tooLong: 0 });
    const short = unwrap(await bigbench(saying({ g1: 'f3' }, 13).engine, rap, task()));
    expect(short).toMatchObject({ n: 1, accuracy: 1, tooLong: 2 });
    expect(await bigbench(saying({}, 1).engine, rap, task())).toMatchObject({ error: { code: 'nothing-fits' } });
  });

  it('tells where targets are not the rules’, castling never being one', async () => {
    const changed = [{ input: `${opening} e1`, target: ['g1', 'e2'] }, examples[1]];
    const made = unwrap(parseBigbench(text({ examples: changed }), 'made.json'));
    const report = unwrap(await bigbench(saying({ e1: 'e2', h1: 'f1' }).engine, rap, made));
    expect(report.disagreements).toEqual([
      { example: 0, input: `${opening} e1`, notLegal: ['g1'], notTargets: ['f1'] },
    ]);
  });

  it('stops when told', async () => {
    const { engine } = saying({ e1: 'e2', h1: 'f1', g1: 'f3' });
    const stopped = await bigbench(engine, rap, task(), { rowsPerBatch: 1, cancelled: () => true });
    expect(stopped).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

describe('parseBigbench', () => {
  it('reads single targets, odd spaces and other fields', () => {
    const odd = [{ input: '  e2e4   e7e5 g1 ', target: 'f3', comment: 1 }];
    const made = unwrap(parseBigbench(`\n${JSON.stringify({ examples: odd })}\n`, 'odd.json'));
    expect(made).toMatchObject({ name: 'odd.json', description: '' });
    expect(made.examples[0]).toMatchObject({ from: 'g1', piece: 'N', targets: ['f3'], legal: ['e2', 'f3', 'h3'] });
  });

  it('names what is wrong, and where', () => {
    const message = (given: string) => {
      const parsed = parseBigbench(given, 't.json');
      return parsed.ok ? null : `${parsed.error.code} ${parsed.error.message}`;
    };
    const withExample = (example: object) => message(text({ examples: [examples[0], example] }));
    expect(message('')).toMatch(/bad-task t\.json: the file is empty/);
    expect(message(text().slice(0, 200))).toMatch(/ends in the middle/);
    expect(message('e2e4 e7e5')).toBe('bad-task t.json: this is not JSON from character 1 on; fetch it again, whole.');
    expect(message('[1]')).toMatch(/t\.json: .*examples/);
    expect(message('null')).toMatch(/examples/);
    expect(message('{"examples":[]}')).toMatch(/examples: is an empty list/);
    expect(message('{"examples":{"input":"g1"}}')).toMatch(/examples/);
    expect(withExample({ input: 'g1' })).toMatch(/example 2, target/);
    expect(withExample({ input: 7, target: ['f3'] })).toMatch(/example 2, input/);
    expect(withExample({ input: 'g1', target: [] })).toMatch(/example 2, target/);
    expect(withExample({ input: 'g1', target: ['Nf3'] })).toMatch(/example 2, target/);
    expect(withExample({ input: 'e2e5 g8', target: ['f6'] })).toMatch(/example 2, input: Ply 1/);
    expect(withExample({ input: 'e2e4 g8f6', target: ['f6'] })).toMatch(/must end with the start square/);
    expect(withExample({ input: '', target: ['f6'] })).toMatch(/must end with the start square/);
    expect(withExample({ input: 'e2e4 g1', target: ['f3'] })).toMatch(/no piece of Black/);
    expect(withExample({ input: 'e3', target: ['e4'] })).toMatch(/no piece of White/);
    expect(message(' '.repeat(LONGEST_TASK + 1))).toMatch(/longer than/);
  });
});

const published = sharedData('data/bigbench');

describe.skipIf(!published.present)(`the published files ${published.needed}`, () => {
  it.each([
    ['real_short', 0.27, 5.88, 29.3],
    ['synthetic_short', 0.318, 4.89, 26.7],
  ])('%s agrees with the rules, and has the known means', async (name, random, targets, plies) => {
    const file = `${published.path}/${name}_task.json`;
    const made = unwrap(parseBigbench(readFileSync(file, 'utf8'), file));
    const report = unwrap(await bigbench(guessingEngine().engine, rap, made));
    expect(report).toMatchObject({ n: 1000, tooLong: 0, disagreements: [] });
    expect(report.random).toBeCloseTo(random, 3);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(made.examples.map((example) => example.targets.length))).toBeCloseTo(targets, 2);
    expect(mean(made.examples.map((example) => example.moves.length))).toBeCloseTo(plies, 1);
    expect(made.examples.every(({ piece }) => piece !== 'P')).toBe(true);
  });
});
