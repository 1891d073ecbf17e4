import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { byteLevelFiles } from '../../fixtures/byte-level-tokenizer.ts';
import { commandFolder, jsonOf } from '../../fixtures/command-line/folder.ts';
import { sampleConfig, tinyGpt2 } from '../../fixtures/sample-run.ts';
import { seededRandom } from '../../src/base/random.ts';
import { batchOf } from '../../src/base/batch.ts';
import { unwrap } from '../../src/base/result.ts';
import { presetNamed } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { createEngine } from '../../src/engine/runtimes/tfjs/create-engine.ts';
import { modelFolder } from '../../src/interchange/huggingface.ts';
import { readTokenizer } from '../../src/interchange/tokenizers/text-tokenizer.ts';
import { initialParameters } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { tokenWords } from '../../src/studies/splat/asking/word-source.ts';
import type { SplatAssessment } from '../../src/studies/splat/splat-assessment.ts';
import { openModel } from '../open-model.ts';

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const hasTransformers = spawnSync(PYTHON, ['-c', 'import torch, transformers']).status === 0;
const { folder, at, run: command } = commandFolder('splat-text');

const run = (...args: string[]) => command(args);

const LINES = [
  '[start] e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 [sep] Q3 b5 B [end]',
  '[start] d2d4 d7d5 c2c4 d5c4 e2e3 b7b5 a2a4 c7c6 [sep] Q5 A4 [end]',
  '[start] e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 [sep] Q3 d4 N [end]',
  '[start] e2e4 e7e5 g1f3 b8c6 [sep] Q8 e1 . f1b5 a7a6 b5a4 g8f6 e1g1 [end]',
];
const MERGES = ['Ġ e', 'Ġ d', 'Ġe 2', 'e 4', '[ s', 't a', 'Ġ [', 'e n'];
const settings: RunConfig = {
  ...presetNamed('plain')!.config,
  schedule: { ...presetNamed('plain')!.config.schedule, steps: 3 },
  evaluation: { every: 1000, games: 2, instances: 2 },
  batch: 3,
};

/** A GPT-2 as it is published: random weights, the two files of its tokenizer, and no word of games. */
function publish(name: string): void {
  const files = byteLevelFiles(MERGES);
  const config = { ...sampleConfig, model: tinyGpt2({ layers: 2, width: 32, context: 512 }) };
  const tokenizer = unwrap(readTokenizer(files));
  const rows = tokenizer.vocabulary.length + 2;
  const parameters = initialParameters(modelOf(config, { size: rows, slots: null }), seededRandom('text'));
  const notation = { slots: null, tokenizerRules: () => null, text: { tokenizer } };
  for (const [file, bytes] of modelFolder(config, parameters, { tokens: [], step: 0 }, notation))
    files.set(file, bytes);
  files.delete('blindfold.json');
  mkdir(name);
  for (const [file, bytes] of files) writeFileSync(at(name, file), bytes);
}
const mkdir = (name: string) => cpSync(mkdtempSync(join(folder, 'empty-')), at(name), { recursive: true });

publish('published');
writeFileSync(at('lines.txt'), `${LINES.join('\n')}\n`);
writeFileSync(at('how.json'), JSON.stringify(settings));
const tune = (model: string, out: string, ...more: string[]) =>
  run('splat', 'fine-tune', '--model', model, '--data', GAMES, '--engine', 'wasm', '--out', out, ...more);
const ask = (model: string, ...more: string[]) =>
  run('splat', 'evaluate', '--model', model, '--questions', 'lines.txt', '--engine', 'wasm', ...more);
const GAMES = new URL('../../public/data/chess-selfplay', import.meta.url).pathname;

describe("a model of text that learns SPLAT's questions", () => {
  it('is fine-tuned, asked, resumed, exported and put beside the paper’s GPT-2', () => {
    expect(jsonOf(tune('published', 'tuned', '--config', 'how.json', '--limit', '40', '--seed', '3'))).toMatchObject({
      steps: 3,
    });
    const { config, record } = JSON.parse(readFileSync(at('tuned', 'blindfold.json'), 'utf8'));
    expect(config).toMatchObject({
      ...{ domain: 'chess', notation: 'text', seed: 3, batch: 3, questions: { from: { id: 'published' } } },
      model: { kind: 'gpt2', layers: 2, width: 32, context: 512, slots: false },
    });
    expect(record.tokens).toHaveLength(267);
    for (const file of ['vocab.json', 'merges.txt'])
      expect(readFileSync(at('tuned', file))).toEqual(readFileSync(at('published', file)));

    const scores = jsonOf(ask('tuned', '--out', 'tuned.json'));
    expect(scores).toMatchObject({ 'legal-verbs': { n: 4 }, assignment: { n: 2 }, winning: { n: 1 }, goal: { n: 1 } });
    // A checkpoint has its tokenizer with it.
    const [checkpoint] = readdirSync(at('tuned')).filter((name) => name.endsWith('3.safetensors'));
    expect(jsonOf(ask(`tuned/${checkpoint}`))).toEqual(scores);
    const exported = jsonOf(run('export', '--model', `tuned/${checkpoint}`, '--to', 'huggingface', '--out', 'taken'));
    expect(exported.maxLogitDifference).toBe(0);
    expect(jsonOf(ask('taken'))).toEqual(scores);
    const resumed = run('splat', 'fine-tune', '--data', GAMES, '--out', 'tuned', '--resume', '--steps', '4');
    expect(jsonOf(resumed)).toMatchObject({ steps: 4 });
    expect(jsonOf(ask('tuned'))).toMatchObject({ goal: { n: 1 } });

    jsonOf(ask('published', '--out', 'published.json'));
    jsonOf(run('report', '--from', 'tuned.json,published.json', '--json', 'report.json', '--out', 'report.html'));
    const page = readFileSync(at('report.html'), 'utf8');
    const rowOf = (name: string) => page.slice(page.indexOf(name)).split('</tr>')[0];
    expect(rowOf('GPT-2 Finetuned')).toContain('tuned: GPT-2 2 x 32');
    expect(rowOf('GPT-2 Finetuned')).toContain('69.2');
    expect(rowOf('GPT-2 Pretrained (on the web)')).toContain('published: GPT-2 2 x 32');
    const assessed = JSON.parse(readFileSync(at('tuned.json'), 'utf8')) as SplatAssessment;
    expect(assessed.subject).toMatchObject({ notation: 'text', fineTuning: { start: 'pre-trained weights' } });
  });

  it('is refused by name where it cannot be read', () => {
    const broken = (name: string, change: (at: (file: string) => string) => void): string => {
      cpSync(at('taken'), at(name), { recursive: true });
      change((file) => at(name, file));
      return name;
    };
    const cases: [string, (at: (file: string) => string) => void, string][] = [
      ['no-merges', (file) => rmSync(file('merges.txt')), 'no tokenizer.json, nor vocab.json with merges.txt'],
      ['damaged', (file) => writeFileSync(file('vocab.json'), '[1, 2'), 'vocab.json is not a JSON object'],
      [
        'others',
        (file) => {
          const named = readFileSync(file('vocab.json'), 'utf8');
          writeFileSync(
            file('vocab.json'),
            named.replace('"Ġd"', '"?"').replace('"Ġe"', '"Ġd"').replace('"?"', '"Ġe"'),
          );
        },
        "This model's tokens are not those that moves are spelt with here",
      ],
      [
        'slots',
        (file) => {
          const own = readFileSync(file('blindfold.json'), 'utf8');
          writeFileSync(file('blindfold.json'), own.replace('"slots": false', '"slots": true'));
        },
        'the pieces of text have no slots',
      ],
    ];
    for (const [name, change, expected] of cases) {
      const asked = ask(broken(name, change));
      expect(asked, name).toMatchObject({ status: 1, stdout: '' });
      expect(asked.stderr, name).toContain(expected);
    }
    const other = tune('taken', 'x', '--config', 'how.json');
    expect(other.stderr).toContain('a model of before brings its own settings');
    expect(run('study', 'testbed', '--model', 'taken', '--games', GAMES)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('choose another model'),
    });
  });
});

const COMPARE = `
import json, sys, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
model = AutoModelForCausalLM.from_pretrained(sys.argv[1]).eval()
lines = open(sys.argv[2]).read().splitlines()
ids = [tokenizer(line)["input_ids"] for line in lines]
batch = torch.tensor([row + [0] * (max(map(len, ids)) - len(row)) for row in ids])
labels = torch.tensor([row + [-100] * (max(map(len, ids)) - len(row)) for row in ids])
loss = model(input_ids=batch, attention_mask=(labels >= 0).long(), labels=labels).loss.item()
prompts = [tokenizer(line.split(" [sep]")[0] + " [sep]", return_tensors="pt") for line in lines]
greedy = [model.generate(**p, max_new_tokens=12, do_sample=False, eos_token_id=None, pad_token_id=0)[0, p["input_ids"].shape[1]:].tolist() for p in prompts]
def nats(line):
    row = torch.tensor([tokenizer(line)["input_ids"]])
    return -model(input_ids=row, labels=row).loss.item() * (row.shape[1] - 1)
answers = []
for line, candidates in zip(lines, ["PNBRQKpnbrqk.", ["A3", "A4", "A5"], "PNBRQKpnbrqk."]):
    question = line.rsplit(" ", 2)[0]
    answers.append(max(candidates, key=lambda answer: nats(f"{question} {answer} [end]")))
print(json.dumps({"ids": ids, "loss": loss, "greedy": greedy, "answers": answers}))
`;

it.skipIf(!hasTransformers)(
  `reads, scores and answers as transformers does with its folder${hasTransformers ? '' : ' (needs transformers)'}`,
  async () => {
    const found = spawnSync(PYTHON, ['-c', COMPARE, at('taken'), at('lines.txt')], { encoding: 'utf8' });
    if (found.status !== 0) throw new Error(found.stderr);
    const theirs = JSON.parse(found.stdout) as { ids: number[][]; loss: number; greedy: number[][]; answers: string[] };
    const { model, notation, engine: opened } = await openModel(at('taken'), 'wasm');
    opened.dispose();
    const { tokenizer } = notation.text!;
    const ids = LINES.map((line) => tokenizer.encode(line).ids);
    expect(ids).toEqual(theirs.ids);

    const engine = await createEngine({ backend: 'cpu', model: model.model, parameters: model.parameters });
    const batch = batchOf(ids);
    const scored = await engine.logProbabilities(batch, []);
    const targets = batch.tokens.length - LINES.length;
    const loss = -scored.reduce((sum, value) => sum + value, 0) / targets;
    expect(Math.abs(loss - theirs.loss)).toBeLessThan(1e-4);
    for (const [i, expected] of theirs.greedy.entries()) {
      const prompt = tokenizer.encode(`${LINES[i].split(' [sep]')[0]} [sep]`).ids;
      const pieces = tokenWords(engine, notation.vocabulary.tokens, prompt);
      const written: string[] = [];
      while (written.length < expected.length) written.push(await pieces.next());
      pieces.dispose();
      expect(written).toEqual(expected.map((id) => notation.vocabulary.tokens[id]));
    }
    jsonOf(ask('taken', '--each', 'each.jsonl'));
    const each = readFileSync(at('each.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(each.slice(0, 3).map(({ answered }) => answered)).toEqual(theirs.answers);
    engine.dispose();
  },
  120_000,
);
