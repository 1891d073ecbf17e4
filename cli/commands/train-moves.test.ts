import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandFolder, jsonOf } from '../../fixtures/command-line/folder.ts';
import { wholeMoveModel } from '../../fixtures/whole-move-model.ts';
import { seededRandom } from '../../src/base/random.ts';
import { presetNamed } from '../../src/config/presets.ts';
import { uciOf } from '../../src/domains/chess/formats/uci.ts';
import { POSSIBLE_MOVES } from '../../src/domains/chess/notation/move-tokens.ts';
import { randomGame } from '../../src/domains/chess/rules/random-game.ts';
import { readModel } from '../open-model.ts';
import { createEngine } from '../../src/engine/runtimes/tfjs/create-engine.ts';

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const hasTransformers = spawnSync(PYTHON, ['-c', 'import torch, transformers']).status === 0;
const { at, run: command } = commandFolder('moves');

const run = (...args: string[]) => command(args);
const train = (...args: string[]) =>
  run('train', '--data', 'games.uci.txt', '--engine', 'wasm', '--out', 'tuned', ...args);

const GAMES = 80;
/** A pawn's move that no game of the file needs to have. */
const LACKED = 'h2h4';

const traces = Array.from({ length: GAMES }, (_, i) => randomGame(seededRandom('train moves', i), 12 + (i % 9)));
const lines = traces.map((trace) => Array.from(trace, uciOf).join(' '));
writeFileSync(at('games.uci.txt'), `${lines.join('\n')}\n`);
mkdirSync(at('published'));
const moves = POSSIBLE_MOVES.map(uciOf).filter((move) => move !== LACKED);
for (const [name, bytes] of wholeMoveModel(moves)) writeFileSync(at('published', name), bytes);

it('goes on training a model whose tokens are whole moves, in its own tokens, and writes the folder that it came in', () => {
  const preset = presetNamed('plain')!.config;
  const how = {
    ...preset,
    optimizer: { ...preset.optimizer, learningRate: 0.01 },
    evaluation: { every: 20, games: 3, instances: 2 },
    batch: 8,
  };
  writeFileSync(at('how.json'), JSON.stringify(how));
  const start = jsonOf<{ perplexity: number }>(
    run('perplexity', '--model', 'published', '--games', 'games.uci.txt', '--engine', 'wasm'),
  );
  const trained = train('--from', 'published', '--config', 'how.json', '--steps', '40', '--seed', '1');
  const summary = jsonOf(trained);
  const lacking = lines.filter((line) => line.includes(LACKED)).length;
  expect(lacking).toBeGreaterThan(0);
  expect(trained.stderr).toMatch(
    /\d+ of 72 training games have a move that is no token of the model; they are left out/,
  );
  expect(trained.stderr).toMatch(/step 20: dev perplexity [\d.]+ a move; End legal/);
  expect(start.perplexity).toBeGreaterThan(1000);
  expect(summary.devPerplexity).toBeLessThan(start.perplexity / 2);

  const { config, record } = JSON.parse(readFileSync(at('tuned', 'blindfold.json'), 'utf8'));
  expect(config).toMatchObject({
    ...{ domain: 'chess', notation: 'moves', batch: 8, from: { id: 'published', name: 'published' } },
    model: { kind: 'gpt2', layers: 1, width: 16, context: 64, slots: false },
  });
  expect(record.tokens.slice(0, 5)).toEqual(['[PAD]', '[BOS]', '[EOS]', '[UNK]', moves[0]]);
  for (const file of ['tokenizer.json', 'tokenizer_config.json'])
    expect(readFileSync(at('tuned', file))).toEqual(readFileSync(at('published', file)));

  const measured = jsonOf(run('perplexity', '--model', 'tuned', '--games', 'games.uci.txt', '--engine', 'wasm'));
  expect(measured.perplexity).toBeLessThan(start.perplexity / 2);
  // A checkpoint has its tokens with it.
  const checkpoint = join(
    'tuned',
    readdirSync(at('tuned')).find((name) => name.endsWith('40.safetensors'))!,
  );
  expect(jsonOf(run('perplexity', '--model', checkpoint, '--games', 'games.uci.txt', '--engine', 'wasm'))).toEqual(
    measured,
  );
  const exported = run('export', '--model', checkpoint, '--to', 'huggingface', '--out', 'taken', '--engine', 'wasm');
  expect(jsonOf(exported).maxLogitDifference).toBe(0);
  const onnx = run('export', '--model', checkpoint, '--to', 'onnx', '--dtype', 'f32', '--out', 'onnx');
  expect(jsonOf(onnx).maxLogitDifference).toBeLessThan(1e-4);

  expect(jsonOf(train('--resume', '--steps', '42'))).toMatchObject({ steps: 42 });
});

it('says what does not go with it', () => {
  expect(train('--from', 'published', '--notation', 'uci', '--out', 'x')).toMatchObject({
    ...{ status: 2, stderr: expect.stringContaining('it brings its own') },
  });
  expect(train('--from', 'published', '--objective', 'valid', '--out', 'x').stderr).toContain(
    'whole moves are learned with "next"',
  );
  writeFileSync(at('lacking.uci.txt'), `${'h2h4 a7a6 a2a3 h7h6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6\n'}`);
  const none = run('train', '--from', 'published', '--data', 'lacking.uci.txt', '--steps', '1', '--out', 'none');
  expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('there are no games to train on') });
});

const COMPARE = `
import json, sys, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
model = AutoModelForCausalLM.from_pretrained(sys.argv[1]).eval()
ids = tokenizer("[BOS] " + sys.argv[2])["input_ids"]
print(json.dumps({"ids": ids, "logits": model(torch.tensor([ids])).logits[0, -1].tolist()}))
`;

it.skipIf(!hasTransformers)(
  `transformers reads the folder to the same tokens and logits${hasTransformers ? '' : ' (needs transformers)'}`,
  async () => {
    const line = lines.find((one) => !one.includes(LACKED))!;
    const found = spawnSync(PYTHON, ['-c', COMPARE, at('taken'), line], { encoding: 'utf8' });
    if (found.status !== 0) throw new Error(found.stderr);
    const theirs = JSON.parse(found.stdout) as { ids: number[]; logits: number[] };
    const { model, parameters, record } = await readModel(at('taken'));
    const ids = ['[BOS]', ...line.split(' ')].map((token) => record!.tokens.indexOf(token));
    expect(theirs.ids).toEqual(ids);
    const engine = await createEngine({ backend: 'cpu', model, parameters });
    const [{ root }] = await engine.leafLogits([ids], [[]]);
    theirs.logits.forEach((logit, id) => expect(Math.abs(root[id] - logit)).toBeLessThan(1e-4));
    engine.dispose();
  },
  120_000,
);
