import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { onWasm, ort, transformersJs, writeFolder } from '../../../fixtures/onnx-clients.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { defaultPreset } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { chess } from '../../domains/chess/chess.ts';
import type { AnyDomain } from '../../domains/domains.ts';
import { samplePrompts } from '../../domains/sample-prompts.ts';
import type { Engine } from '../../engine/engine.ts';
import { createEngine } from '../../engine/runtimes/tfjs/create-engine.ts';
import { initialParameters } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import { modelFolder } from '../huggingface.ts';
import { readingsOf } from '../plain/readings.ts';
import { withOnnx } from './onnx-folder.ts';
import { expectedLogits } from '../read-back.ts';
import { readBackOnnx } from './read-back.ts';

const notation = unwrap(chess.notation('rap:15'));
const { vocabulary } = notation;
const shape = { width: 16, heads: 2, context: 48, tied: true };
const modern = { ...shape, mlp: 24, rotaryBase: 1000 };
const kinds = {
  gpt2: { ...shape, kind: 'gpt2', layers: 2, dropout: 0, window: null, start: 'gpt2' },
  qwen3: { ...modern, kind: 'qwen3', layers: 2, window: null, shift: 0 },
  lfm2: { ...modern, kind: 'lfm2', pattern: 'cac', taps: 3 },
} as const;
const cases = (['gpt2', 'qwen3', 'lfm2'] as const).flatMap((kind) => [false, true].map((slots) => ({ kind, slots })));

const models = mkdtempSync(join(tmpdir(), 'blindfold-onnx-'));
afterAll(() => rmSync(models, { recursive: true }));

async function made(kind: keyof typeof kinds, slots: boolean) {
  const config = { ...defaultPreset.config, model: { ...kinds[kind], slots } } as RunConfig;
  const model = modelOf(config, { size: vocabulary.size, slots: notation.slots });
  const random = seededRandom('folder');
  const parameters = initialParameters(model, random);
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.3 * random.normal();
  const folder = modelFolder(config, parameters, { tokens: vocabulary.tokens, step: 1 }, notation);
  const files = unwrap(withOnnx(folder, model, ['f32', 'q8']));
  const engine = await createEngine({ backend: 'cpu', model, parameters });
  return { files, engine, readings: slots ? readingsOf(notation.slots) : null };
}

/** The likeliest tokens one after another, letters of pieces aside, which the folder keeps out of what is written. */
async function greedy(engine: Engine, prompt: readonly number[], count: number): Promise<number[]> {
  const continuation = engine.continue(prompt);
  const tokens: number[] = [];
  for (let i = 0; i < count && tokens.at(-1) !== vocabulary.end; i++) {
    const logits = await continuation.logits();
    for (const name of notation.mutedInEvaluation) logits[name] = -Infinity;
    tokens.push(logits.reduce((best, logit, token) => (logit > logits[best] ? token : best), 0));
    continuation.advance(tokens[i]);
  }
  continuation.dispose();
  return tokens;
}

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const withOnnxruntime = spawnSync(PYTHON, ['-c', 'import onnx, onnxruntime']).status === 0;

describe.each(cases)('the folder of a $kind, slots: $slots', ({ kind, slots }) => {
  it('is answered by onnxruntime-web as the model answers', async () => {
    const { files, engine, readings } = await made(kind, slots);
    const expected = await expectedLogits(engine, samplePrompts(chess as AnyDomain, notation, 12, 48), readings);
    engine.dispose();
    const found = unwrap(await readBackOnnx(ort, files.get('onnx/model.onnx')!, expected));
    expect(found.maxLogitDifference).toBeLessThan(2e-4);
    expect(found.agreement).toBe(1);
  });

  it('is loaded by transformers.js, from text to what the model writes', async () => {
    const { files, engine, readings } = await made(kind, slots);
    writeFolder(join(models, `${kind}-${slots}`), files);
    const { AutoModelForCausalLM, AutoTokenizer } = await transformersJs(models);
    const tokenizer = await AutoTokenizer.from_pretrained(`${kind}-${slots}`);
    const model = await AutoModelForCausalLM.from_pretrained(`${kind}-${slots}`, onWasm);
    const prompt = [vocabulary.begin, ...['e2', 'e4', 'e7', 'e5'].map((token) => vocabulary.id(token)!)];
    const [{ ids, logits, columns }] = await expectedLogits(engine, [prompt], readings);
    const inputs = tokenizer('e2e4 e7e5');
    expect([...inputs.input_ids.data].map(Number)).toEqual(ids);

    const output = await model(inputs);
    const last = (output.logits.data as Float32Array).slice(-output.logits.dims[2]);
    const found = Array.from(logits, (_, token) => last[columns ? columns[token] : token]);
    expect(Math.max(...found.map((logit, token) => Math.abs(logit - logits[token])))).toBeLessThan(2e-4);

    const written = (await greedy(engine, prompt, 12)).map((token) => vocabulary.tokens[token]);
    const generated = (await model.generate({ ...inputs, max_new_tokens: 12 })) as { data: BigInt64Array };
    const tokens = Array.from(generated.data, Number).slice(ids.length);
    expect(tokens.map((id) => vocabulary.tokens[readings ? readings.list[id].token : id])).toEqual(written);

    // A shorter row beside it is padded, and written on as it is alone.
    const alone = (await model.generate({ ...tokenizer('d2d4'), max_new_tokens: 6 })) as { data: BigInt64Array };
    const both = await model.generate({ ...tokenizer(['e2e4 e7e5', 'd2d4'], { padding: true }), max_new_tokens: 6 });
    const rows = (both as unknown as { tolist(): bigint[][] }).tolist();
    expect(rows[1].slice(2, 2 + alone.data.length)).toEqual([...alone.data]);
    await model.dispose();
    engine.dispose();
  });

  it.skipIf(!withOnnxruntime)(
    'passes the checker of onnx and runs in Python (needs onnx and onnxruntime)',
    async () => {
      const { files, engine } = await made(kind, slots);
      engine.dispose();
      writeFolder(join(models, `${kind}-${slots}`), files);
      const program = `
import sys, numpy, onnx, onnxruntime
for name in sys.argv[1:]:
    onnx.checker.check_model(onnx.load(name), full_check=True)
    session = onnxruntime.InferenceSession(name, providers=["CPUExecutionProvider"])
    feeds = {}
    for given in session.get_inputs():
        if given.type == "tensor(int64)":
            feeds[given.name] = numpy.tile(numpy.arange(1, 6) if given.name == "input_ids" else numpy.arange(5), (2, 1))
        else:
            feeds[given.name] = numpy.zeros([2 if side == "batch_size" else 0 if isinstance(side, str) else side for side in given.shape], "f")
    feeds["attention_mask"] = numpy.ones((2, 5), "int64")
    logits = session.run(["logits"], feeds)[0]
    assert logits.shape[:2] == (2, 5) and numpy.isfinite(logits).all() and numpy.array_equal(logits[0], logits[1]), name
`;
      const names = ['model', 'model_quantized'].map((name) =>
        join(models, `${kind}-${slots}`, 'onnx', `${name}.onnx`),
      );
      const { status, stderr } = spawnSync(PYTHON, ['-c', program, ...names], { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    },
  );
});
