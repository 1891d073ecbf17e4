import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, describe, it } from 'vitest';
import { smallEngine } from '../../../fixtures/small-engine.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { defaultPreset } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { chessSlots } from '../../domains/chess/notation/slots.ts';
import { chessTokenizerRules } from '../../domains/chess/notation/tokenizer-rules.ts';
import { vocabulary } from '../../domains/chess/notation/vocabulary.ts';
import type { ModelConfig } from '../../models/model.ts';
import { initialParameters } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { halved, modelFolder, modelFromFiles, type Files } from '../huggingface.ts';
import { readingsOf } from './readings.ts';

const shape = { width: 16, heads: 2, context: 24 };
const modern = { ...shape, mlp: 24, rotaryBase: 1000 };
const kinds = {
  // Four columns more are no multiple of its heads.
  lfm2: { ...modern, kind: 'lfm2', pattern: 'ca', taps: 3, width: 24, heads: 3 },
  qwen3: { ...modern, kind: 'qwen3', layers: 2, window: null, shift: 0 },
  gpt2: { ...shape, kind: 'gpt2', layers: 2, dropout: 0, window: null, start: 'gpt2' },
} as const;
const cases = (['lfm2', 'qwen3', 'gpt2'] as const).flatMap((kind) => [true, false].map((tied) => ({ kind, tied })));
const notation = { slots: chessSlots, tokenizerRules: chessTokenizerRules };
const readings = readingsOf(chessSlots);

function made(kind: keyof typeof kinds, tied: boolean) {
  const config = { ...defaultPreset.config, model: { ...kinds[kind], slots: true, tied } } as RunConfig;
  const model = modelOf(config, { size: vocabulary.size, slots: chessSlots });
  const parameters = initialParameters(model, seededRandom('plain'));
  const random = seededRandom('spread');
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.3 * random.normal();
  const record = { tokens: vocabulary.tokens, step: 1 };
  return { config, model, parameters, files: modelFolder(config, parameters, record, notation) };
}

const imported = (files: Files) => modelFromFiles(files, () => chessSlots);
const json = (files: Files, name: string) => JSON.parse(new TextDecoder().decode(files.get(name)));

const spelled = ['<s>', 'e2', 'e4', 'P', 'e7', 'e5', 'g1', 'f3', 'b8', 'c6', 'a7', 'b8', 'q', 'd7', 'd5', 'N', 'f3'];
const sequence = spelled.map((token) => vocabulary.id(token)!);

/** [T, vocabulary] */
async function logitsOf(model: ModelConfig, parameters: NamedArrays): Promise<number[][]> {
  const engine = await smallEngine(model, parameters);
  const continuation = engine.continue([sequence[0]]);
  const rows: number[][] = [];
  for (const [i] of sequence.entries()) {
    rows.push([...(await continuation.logits())]);
    if (i + 1 < sequence.length) continuation.advance(sequence[i + 1]);
  }
  continuation.dispose();
  engine.dispose();
  return rows;
}

function difference(one: readonly number[][], other: readonly number[][]): number {
  return Math.max(...one.flatMap((row, i) => row.map((x, j) => Math.abs(x - other[i][j]))));
}

describe('the readings of a grammar', () => {
  it('are 305 in chess, and in every state each token has one', () => {
    // 64 squares left and reached by two sides; names and promotions between moves and within one; <s>; the rest alike.
    expect(readings.list).toHaveLength(64 * 4 + 6 * 4 + 4 * 4 + 1 + 2 * 4);
    for (const [at, number] of readings.at.entries())
      expect(readings.list[number]).toEqual({
        ...{ token: at % vocabulary.size, slot: chessSlots.slot[at], next: chessSlots.next[at] },
      });
  });
});

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const withTransformers = spawnSync(PYTHON, ['-c', 'import torch, transformers']).status === 0;

describe.each(cases)('a folder of a $kind with slots, head tied: $tied', ({ kind, tied }) => {
  const { config, model, parameters, files } = made(kind, tied);

  it('comes back as a model with the same answers, to ask and to go on learning with', async () => {
    const found = unwrap(imported(files));
    const before = await logitsOf(model, parameters);
    expect(difference(before, await logitsOf(found.model, found.parameters))).toBeLessThan(2e-5);
    expect(found.learnable!.model).toEqual(model);
    expect([...found.learnable!.parameters.keys()]).toEqual([...parameters.keys()]);
    expect(difference(before, await logitsOf(model, found.learnable!.parameters))).toBeLessThan(1e-4);
    expect(found.config).toEqual(config);
  });

  it('has as many columns for each head', () => {
    const { n_embd, n_head, hidden_size = n_embd, num_attention_heads = n_head } = json(files, 'config.json');
    expect(hidden_size % num_attention_heads).toBe(0);
  });

  it('comes through a second folder unchanged', async () => {
    const half = unwrap(halved(files));
    const once = unwrap(imported(half));
    const again = unwrap(
      halved(modelFolder(config, once.parameters, { tokens: vocabulary.tokens, step: 1 }, notation)),
    );
    // A GPT-2's layer norms cannot see the means that are taken away anew.
    if (kind !== 'gpt2') expect(again.get('model.safetensors')).toEqual(half.get('model.safetensors'));
    const twice = unwrap(imported(again));
    const before = await logitsOf(once.model, once.parameters);
    expect(difference(before, await logitsOf(twice.model, twice.parameters))).toBeLessThan(
      kind === 'gpt2' ? 0.02 : 1e-9,
    );
  });

  it('is refused where config.json, the weights and the record do not agree', () => {
    const size = kind === 'gpt2' ? 'n_embd' : 'hidden_size';
    const changed = (fields: object): Files =>
      new Map(files).set(
        'config.json',
        new TextEncoder().encode(JSON.stringify({ ...json(files, 'config.json'), ...fields })),
      );
    const other = imported(changed({ [size]: json(files, 'config.json')[size] + 2 }));
    expect(other).toMatchObject({
      ok: false,
      error: { code: 'record-differs', message: expect.stringContaining(size) },
    });
    const record = json(files, 'blindfold.json');
    record.config.model.width = 14;
    const smaller = new Map(files).set('blindfold.json', new TextEncoder().encode(JSON.stringify(record)));
    expect(imported(smaller)).toMatchObject({ ok: false });
  });

  it.skipIf(!withTransformers)(
    "is computed by transformers from text to the model's own logits (needs torch and transformers)",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'blindfold-plain-'));
      try {
        for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
        const program = `
import json, sys, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
model = AutoModelForCausalLM.from_pretrained(sys.argv[1]).eval()
inputs = tokenizer("e2e4 P e7e5 g1f3 b8c6 a7b8q d7d5 N f3", return_tensors="pt")
with torch.no_grad():
    logits = model(**inputs).logits[0]
print(json.dumps([inputs["input_ids"][0].tolist(), logits.tolist(), tokenizer.decode(inputs["input_ids"][0], skip_special_tokens=True)]))`;
        const run = spawnSync(PYTHON, ['-c', program, folder], { encoding: 'utf8', maxBuffer: 1e8 });
        expect(run.status, run.stderr).toBe(0);
        const [ids, logits, text] = JSON.parse(run.stdout) as [number[], number[][], string];
        expect(text).toBe('e2e4 P e7e5 g1f3 b8c6 a7b8q d7d5 N f3');
        let state = 0;
        const states = sequence.map((token) => (state = chessSlots.next[state * vocabulary.size + token]));
        state = 0;
        expect(ids).toEqual(
          sequence.map((token, i) => readings.at[(i === 0 ? 0 : states[i - 1]) * vocabulary.size + token]),
        );
        const own = logits.map((row, i) =>
          vocabulary.tokens.map((_, token) => row[readings.at[states[i] * vocabulary.size + token]]),
        );
        expect(difference(await logitsOf(model, parameters), own)).toBeLessThan(1e-4);
        // What cannot stand there has no chance.
        const rest = logits.map((row, i) => {
          const possible = new Set(
            vocabulary.tokens.map((_, token) => readings.at[states[i] * vocabulary.size + token]),
          );
          return Math.max(...row.filter((_, reading) => !possible.has(reading))) - Math.max(...own[i]);
        });
        expect(Math.max(...rest)).toBeLessThan(-50);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    60_000,
  );
});
