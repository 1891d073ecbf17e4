import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { defaultPreset } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { chessTokenizerRules } from '../../src/domains/chess/notation/tokenizer-rules.ts';
import { vocabulary } from '../../src/domains/chess/notation/vocabulary.ts';
import { modelFolder, modelFromFiles } from '../../src/interchange/huggingface.ts';
import { tokenizerFiles } from '../../src/interchange/tokenizers/tokenizer-files.ts';
import { initialParameters } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';

const { at, run: command } = commandFolder('import');

const config: RunConfig = {
  ...defaultPreset.config,
  model: {
    ...{ kind: 'qwen3', layers: 1, width: 16, heads: 2, mlp: 24, context: 40, rotaryBase: 1000 },
    ...{ window: null, slots: false, tied: true, shift: 0 },
  },
};
const parameters = initialParameters(
  modelOf(config, { size: vocabulary.size, slots: null }),
  seededRandom('another maker'),
);
const notation = { slots: null, tokenizerRules: () => null };

/** A folder as another maker has it, who lists the tokens the other way round and calls the special ones otherwise. */
function folderOf(name: string, change: (tokens: string[]) => string[] = (tokens) => tokens): string {
  const files = modelFolder(config, parameters, { tokens: vocabulary.tokens, step: 1 }, notation);
  files.delete('blindfold.json');
  const tensors = new Map(parameters);
  const { shape, data } = tensors.get('model.embed_tokens.weight')!;
  const [rows, width] = shape;
  const turned = Float32Array.from(data, (_, i) => data[(rows - 1 - Math.floor(i / width)) * width + (i % width)]);
  tensors.set('model.embed_tokens.weight', { shape, data: turned });
  const theirs = modelFolder(config, tensors, { tokens: vocabulary.tokens, step: 1 }, notation);
  files.set('model.safetensors', theirs.get('model.safetensors')!);
  const names: Record<string, string> = { '<pad>': '[PAD]', '<s>': '[BOS]', '</s>': '[EOS]' };
  const pieces = change(vocabulary.tokens.map((token) => names[token] ?? token)).reverse();
  const id = (token: string): number => pieces.indexOf(token);
  const described = { pieces, pad: id('[PAD]'), begin: id('[BOS]'), ends: [id('[EOS]')] };
  for (const [file, value] of Object.entries(tokenizerFiles(described, chessTokenizerRules(false), 40)))
    files.set(file, new TextEncoder().encode(JSON.stringify(value)));
  mkdirSync(at(name));
  for (const [file, bytes] of files) writeFileSync(at(name, file), bytes);
  return name;
}

const run = (...args: string[]) => command(args);

test('a third-party model of moves becomes one of the lab, token by token, and can be asked', () => {
  const imported = run('import', folderOf('theirs'), '--out', 'ours');
  expect(imported.stderr).toContain('77 of 77 tokens matched; not in the model: none; only in the model: 0.');
  expect(JSON.parse(imported.stdout)).toMatchObject({ maxLogitDifference: 0 });
  const names = ['model.safetensors', 'config.json', 'blindfold.json'];
  const files = new Map(names.map((name) => [name, new Uint8Array(readFileSync(at('ours', name)))]));
  const found = unwrap(modelFromFiles(files, () => null));
  expect(found.parameters).toEqual(parameters);
  expect(found.config).toMatchObject({ domain: 'chess', notation: 'rap:15', model: config.model });

  writeFileSync(at('games.uci.txt'), 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6\n');
  const asked = run('perplexity', '--model', 'ours', '--games', 'games.uci.txt');
  expect(JSON.parse(asked.stdout).perplexity).toBeGreaterThan(1);
});

test('a model with other tokens is refused with those that are missing', () => {
  const other = folderOf('others', (tokens) => tokens.map((token) => (/^[gh]/.test(token) ? `x${token}` : token)));
  const { status, stderr } = run('import', other, '--out', 'nothing');
  expect(status).toBe(1);
  expect(stderr).toContain('61 of the 77 tokens');
  expect(stderr).toContain('Missing are "g1", "h1"');
});

test('piece names may be missing, since nobody lets a model predict them', () => {
  const bare = folderOf('bare', (tokens) => tokens.map((token) => (/^[PNRBQK]$/.test(token) ? `x${token}` : token)));
  expect(run('import', bare, '--out', 'bare-ours').stderr).toContain('71 of 77 tokens matched; not in the model: P N');
});
