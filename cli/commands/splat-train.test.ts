import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandFolder, jsonOf } from '../../fixtures/command-line/folder.ts';
import { presetNamed } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { baseball } from '../../src/domains/baseball/baseball.ts';
import { simulateGames } from '../../src/domains/baseball/simulator/game.ts';
import type { SplatAssessment } from '../../src/studies/splat/splat-assessment.ts';

const { at, run, json } = commandFolder('splat-train');

const configOf = (name: string): RunConfig => JSON.parse(readFileSync(at(name, 'blindfold.json'), 'utf8')).config;
const weightsOf = (name: string): Buffer => readFileSync(at(name, 'model.safetensors'));

const preset = presetNamed('plain')!.config;
const tiny: RunConfig = {
  ...preset,
  model: { ...preset.model, layers: 1, width: 16, heads: 2, context: 320 } as RunConfig['model'],
  schedule: { ...preset.schedule, steps: 2 },
  evaluation: { every: 1000, games: 2, instances: 4 },
  batch: 4,
};

it('trains on games of baseball, fine-tunes on questions, goes on with it, and asks', () => {
  writeFileSync(at('tiny.json'), JSON.stringify(tiny));
  const lines = Array.from(simulateGames(20, 4), (trace) => baseball.traces.format(trace));
  const asJson = lines.map((tokens) => JSON.stringify({ tokens, source: 'retrosheet' })).join('\n');
  const prepared = run('prepare - --domain baseball --out games --split train=0.7,dev=0.1,test=0.2', asJson);
  const { kept, dropped } = jsonOf<{ kept: number; dropped: Record<string, number> }>(prepared);
  expect(kept + dropped['too long']).toBe(20);
  expect(prepared.stderr).toContain('copyrighted by Retrosheet');
  const manifest = JSON.parse(readFileSync(at('games/manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ domain: 'baseball', filters: { maxTokens: 1000 } });
  expect(manifest.licence).toContain('copyrighted by Retrosheet');

  const trained = run('train --data games --config tiny.json --domain baseball --engine wasm --out read');
  expect(jsonOf(trained)).toMatchObject({ steps: 2 });
  expect(trained.stderr).toContain('copyrighted by Retrosheet');
  expect(configOf('read')).toMatchObject({ domain: 'baseball', notation: 'splat', questions: null });

  const tune = 'splat fine-tune --data games --engine wasm --out asked';
  const tuned = run(`${tune} --model read --per-game 2 --learn answer --goals corrected --seed 5 --steps 2`);
  expect(jsonOf(tuned)).toMatchObject({ steps: 2 });
  // What Retrosheet wants said goes wherever its games do.
  expect(configOf('asked').data.notice).toBe(manifest.notice);
  expect(readFileSync(at('asked/README.md'), 'utf8')).toContain(manifest.notice);
  expect(tuned.stderr).not.toContain('did not train on this split');
  const { questions, seed, model, domain } = configOf('asked');
  expect(questions).toMatchObject({
    ...{ from: { id: 'read', name: 'read' }, perGame: 2, learn: 'answer', goals: 'corrected', own: [] },
  });
  expect({ seed, domain, model }).toEqual({ seed: 5, domain: 'baseball', model: configOf('read').model });
  // The weights it starts from are those of the model: its first evaluation comes before its first step.
  const perplexityOf = ({ stderr }: { stderr: string }, step: number) =>
    new RegExp(`step ${step}: dev perplexity (\\S+)`).exec(stderr)?.[1];
  expect(perplexityOf(tuned, 0)).toBe(perplexityOf(trained, 2));
  expect(perplexityOf(tuned, 0)).not.toBe(perplexityOf(trained, 0));
  expect(weightsOf('asked').equals(weightsOf('read'))).toBe(false);
  expect(run(`${tune} --model read`)).toMatchObject({ status: 1, stderr: expect.stringContaining('--resume') });
  expect(json(`${tune} --resume --steps 3`)).toMatchObject({ steps: 3 });
  expect(configOf('asked').questions).toEqual(questions);

  const made = run('splat make-questions games:test --domain baseball --per-game 3');
  writeFileSync(at('lines.txt'), made.stdout);
  const ask = 'splat evaluate --model asked --questions lines.txt --engine wasm';
  const asked = run(`${ask} --each each.jsonl --out assessed.json`);
  const scores = jsonOf<Record<string, Record<string, number>>>(asked);
  const assessed = JSON.parse(readFileSync(at('assessed.json'), 'utf8')) as SplatAssessment;
  const asking = made.stdout.trim().split('\n').length;
  const left = Number(/(\d+) of \d+ questions are longer/.exec(asked.stderr)?.[1] ?? 0);
  expect(left).toBeGreaterThan(0);
  expect(scores.assignment.n + scores.winning.n + scores.goal.n).toBe(asking - left);
  expect(Object.keys(scores)).toEqual(['legal-verbs', 'assignment', 'winning', 'goal', 'random']);
  expect(scores['legal-verbs']).toMatchObject({ n: asking - left, inPatternMass: null });
  // Counted again from every answer.
  const each = readFileSync(at('each.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const winning = each.filter(({ form }) => form === 'winning');
  expect(winning.filter(({ gold, answered }) => gold === answered).length / winning.length).toBe(
    scores.winning.accuracy,
  );
  const ranks = each.filter(({ form }) => form === 'legal-verbs');
  const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(meanOf(ranks.map(({ rPrecision }) => rPrecision))).toBeCloseTo(scores['legal-verbs'].nextToken, 10);
  expect(meanOf(ranks.map(({ spelling }) => spelling.rPrecision))).toBeCloseTo(scores['legal-verbs'].rprec, 10);
  expect(meanOf(ranks.map(({ spelling }) => spelling.tokens)) / 144).toBeCloseTo(scores.random['legal-verbs'], 10);
  expect(assessed.subject).toMatchObject({ name: 'asked', steps: 3, fineTuning: { start: 'pre-trained weights' } });
  expect(assessed.lines).toHaveLength(asking - left);
  expect(asked.stderr).toContain(manifest.notice);
  expect(assessed.notice).toBe(manifest.notice);
  const result = run('report --from assessed.json --out splat.html');
  expect(result.stderr).toContain(manifest.notice);
  const [, foot] = readFileSync(at('splat.html'), 'utf8').split('<footer>');
  expect(foot).toContain('copyrighted by Retrosheet');

  const longest = made.stdout.split('\n').reduce((long, line) => (line.length > long.length ? line : long), '');
  writeFileSync(at('long.txt'), longest);
  const long = run('splat evaluate --model asked --questions long.txt --engine wasm');
  expect(long).toMatchObject({ status: 1, stdout: '' });
  expect(long.stderr).toContain("the question is longer than the model's context of 320 tokens");

  writeFileSync(at('other.txt'), `${made.stdout.split('\n')[0]}\n[start] e2e4 [sep] Q5 A5 [end]\n`);
  const other = run('splat evaluate --model asked --questions other.txt --engine wasm');
  expect(other).toMatchObject({ status: 1, stdout: '' });
  expect(other.stderr).toContain('other.txt, line 2: this asks about chess, and the model reads baseball');
  writeFileSync(at('noughts.txt'), '[start] b2 [sep] Q2 A5 [end]\n');
  const noughts = run('splat evaluate --model asked --questions noughts.txt --engine wasm');
  expect(noughts.stderr).toContain('noughts.txt, line 1: this asks about noughts, and the model reads baseball');
});

it('says what does not go together', () => {
  writeFileSync(at('chess.uci.txt'), 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7\n');
  const cases: [command: string, status: number, words: string][] = [
    [
      'train --data chess.uci.txt --preset tiny --domain baseball --out x',
      1,
      'this holds games of chess; choose Chess first',
    ],
    ['train --data games --preset tiny --out x', 1, 'this holds games of baseball, not of chess; train with --domain'],
    ['train --data invented --preset tiny --out x', 1, 'there are no invented games of Chess'],
    ['splat fine-tune --data games --out x', 2, 'Give either --model MODEL'],
    [
      'splat fine-tune --data games --model read --own chess.uci.txt --out x',
      1,
      'chess.uci.txt: this is not JSON from line 1, character 1 on',
    ],
  ];
  for (const [command, status, expected] of cases) {
    const ended = run(command);
    expect(ended, command).toMatchObject({ status, stdout: '' });
    expect(ended.stderr, command).toContain(expected);
  }
});

it('invents the games of a small world, the same whatever the seed, and learns questions from random weights', () => {
  const small = { ...tiny, model: { ...tiny.model, context: 64 } };
  writeFileSync(at('small.json'), JSON.stringify(small));
  const invented = '--data invented:200 --config small.json --domain noughts --engine wasm';
  expect(json(`train ${invented} --out one --seed 1`)).toMatchObject({ steps: 2 });
  expect(json(`splat fine-tune --random ${invented} --out two --seed 2`)).toMatchObject({ steps: 2 });
  expect(configOf('two').questions).toMatchObject({ from: null, learn: 'line' });
  expect(configOf('one').data).toEqual(configOf('two').data);
  expect(configOf('one').data.manifest).toMatch(/^[0-9a-f]{64}$/);
  const held = run('perplexity --model two --games invented:200:test --engine wasm');
  expect(jsonOf(held)).toMatchObject({ games: 9 });
});
