import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { commandFolder, jsonOf } from '../../fixtures/command-line/folder.ts';
import { sampleCheckpoint, sampleConfig } from '../../fixtures/sample-run.ts';
import { seededRandom } from '../../src/base/random.ts';
import { modelOfKind } from '../../src/config/model-schema.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { grammarOf } from '../../src/domains/domains.ts';
import { vocabulary } from '../../src/domains/chess/notation/vocabulary.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { initialParameters } from '../../src/models/model.ts';
import { writeSafetensors } from '../../src/interchange/safetensors.ts';
import { encodeCheckpoint } from '../../src/training/checkpoint.ts';

const { folder, at, run: command } = commandFolder('export');

/** A checkpoint of first weights. */
function checkpoint(name: string, config: RunConfig): void {
  const model = modelOf(config, { size: vocabulary.size, slots: grammarOf(config) });
  const metadata = { format: 'blindfold-checkpoint', config: JSON.stringify(config) };
  writeFileSync(at(name), writeSafetensors(initialParameters(model, seededRandom(name)), metadata));
}

beforeAll(() => {
  checkpoint('model.safetensors', sampleConfig);
  checkpoint('slots.safetensors', { ...sampleConfig, model: { ...sampleConfig.model, slots: true } });
  checkpoint('lstm.safetensors', {
    ...sampleConfig,
    model: { ...modelOfKind(sampleConfig.model, 'lstm'), slots: true },
  });
  checkpoint('reformer.safetensors', { ...sampleConfig, model: modelOfKind(sampleConfig.model, 'reformer') });
});

const run = (...args: string[]) => command(['export', ...args]);

it.each(['model', 'slots'])('--to onnx writes a folder that onnxruntime-web has answered with: %s', (name) => {
  const exported = run('--model', `${name}.safetensors`, '--to', 'onnx', '--out', `of-${name}`);
  const { files, maxLogitDifference, readBack } = jsonOf<{
    files: string[];
    maxLogitDifference: number;
    readBack: Record<string, { maxLogitDifference: number; agreement: number }>;
  }>(exported);
  expect(files).toContain(`of-${name}/onnx/model.onnx`);
  expect(readdirSync(at(`of-${name}`, 'onnx')).sort()).toEqual([
    'model.onnx',
    'model_fp16.onnx',
    'model_quantized.onnx',
  ]);
  expect(readdirSync(at(`of-${name}`))).not.toContain('model.safetensors');
  expect(maxLogitDifference).toBeLessThan(1e-4);
  expect(readBack.f32).toEqual({ maxLogitDifference, agreement: 1 });
  expect(readBack.q8.maxLogitDifference).toBeGreaterThan(maxLogitDifference);
  const config = JSON.parse(readFileSync(at(`of-${name}`, 'config.json'), 'utf8')) as Record<string, unknown>;
  expect(config['transformers.js_config']).toEqual({ dtype: 'fp32' });
  expect(readFileSync(at(`of-${name}`, 'README.md'), 'utf8')).toMatch(
    /more than \S+ with onnx\/model.onnx, \S+ with onnx\/model_fp16.onnx and \S+ with onnx\/model_quantized.onnx\./,
  );

  // Such a folder is a model again.
  const back = run('--model', `of-${name}`, '--to', 'safetensors', '--out', `back-of-${name}`);
  expect(JSON.parse(back.stdout)).toMatchObject({ maxLogitDifference: expect.closeTo(0, 4) });
});

it('--to onnx writes an LSTM with slots, which no library has', () => {
  const written = run('--model', 'lstm.safetensors', '--to', 'onnx', '--out', 'of-lstm', '--dtype', 'f32');
  expect(jsonOf<{ maxLogitDifference: number }>(written).maxLogitDifference).toBeLessThan(1e-4);
  expect(readdirSync(at('of-lstm')).sort()).toEqual(['README.md', 'blindfold.json', 'onnx', 'slots.json']);
  const back = run('--model', 'of-lstm', '--to', 'safetensors', '--out', 'back-of-lstm');
  expect(JSON.parse(back.stdout)).toMatchObject({ maxLogitDifference: 0 });
});

it.each(['model', 'slots', 'lstm'])('--to tfjs writes a folder that TensorFlow.js has answered with: %s', (name) => {
  const exported = run('--model', `${name}.safetensors`, '--to', 'tfjs', '--out', `tfjs-${name}`);
  const { files, maxLogitDifference } = jsonOf<{ files: string[]; maxLogitDifference: number }>(exported);
  expect(files).toContain(`tfjs-${name}/model.json`);
  expect(maxLogitDifference).toBeLessThan(1e-4);
  const written = readdirSync(at(`tfjs-${name}`));
  expect(written).toContain('group1-shard1of1.bin');
  expect(written).not.toContain('model.safetensors');
  const card = readFileSync(at(`tfjs-${name}`, 'README.md'), 'utf8');
  expect(card).toContain('TensorFlow.js read this folder and answered 64 prompts');
  expect(card).toContain(name === 'lstm' ? 'await model.predictAsync(' : '= model.predict(');
});

it('--to checkpoint writes a run with the state of its optimiser, which is a run again', () => {
  writeFileSync(at('run.safetensors'), encodeCheckpoint(sampleCheckpoint(5)));
  const written = run('--model', 'run.safetensors', '--to', 'checkpoint', '--out', 'state');
  expect(jsonOf(written)).toEqual({
    files: ['state/checkpoint-000000005.safetensors', 'state/README.md'],
    maxLogitDifference: 0,
  });
  const again = run('--model', 'state', '--to', 'checkpoint', '--out', 'again');
  expect(again.status).toBe(0);
  const [one, other] = ['state', 'again'].map((name) => readFileSync(at(name, 'checkpoint-000000005.safetensors')));
  expect(one.equals(other)).toBe(true);
  // Weights alone have no such state.
  expect(run('--model', 'model.safetensors', '--to', 'checkpoint', '--out', 'none').status).toBe(1);
});

it('writes the types that --dtype names, and refuses what it cannot write', () => {
  const some = run('--model', 'model.safetensors', '--to', 'onnx', '--out', 'some', '--dtype', 'q8,f16');
  expect(some.status).toBe(0);
  expect(readdirSync(at('some', 'onnx')).sort()).toEqual(['model_fp16.onnx', 'model_quantized.onnx']);
  expect(run('--model', 'model.safetensors', '--to', 'onnx', '--out', 'none', '--dtype', 'f32,q4')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--dtype f32,q4: give some of f32, f16, q8'),
  });
  expect(run('--model', 'reformer.safetensors', '--to', 'onnx', '--out', 'none')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('A reformer has no ONNX form'),
  });
  expect(run('--model', 'reformer.safetensors', '--to', 'tfjs', '--out', 'none').status).toBe(1);
  expect(run('--model', 'model.safetensors', '--to', 'tfjs', '--out', 'none', '--half').status).toBe(2);
  expect(readdirSync(folder)).not.toContain('none');
});
