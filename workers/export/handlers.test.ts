import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { smallEngine } from '../../fixtures/small-engine.ts';
import { sampleCheckpoint, sampleConfig, sampleParameters } from '../../fixtures/sample-run.ts';
import { unwrap } from '../../src/base/result.ts';
import { modelFolder } from '../../src/interchange/huggingface.ts';
import type { OnnxRuntime } from '../../src/interchange/onnx/read-back.ts';
import { readSafetensors } from '../../src/interchange/safetensors.ts';
import { tfjs } from '../../fixtures/tfjs-client.ts';
import { notationOf } from '../../src/domains/domains.ts';
import type { Progress } from '../../src/studies/asking/measuring.ts';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/training/checkpoint.ts';
import { saveCheckpoint } from '../../src/training/checkpoint-store.ts';
import { MemoryStore } from '../../src/training/memory-store.ts';
import type { RunRecord } from '../train/protocol.ts';
import { memoryRunList } from '../train/run-list.ts';
import { exportFormsOf } from './forms.ts';
import { exportHandlers, type ExportHost } from './handlers.ts';

const host: ExportHost = {
  checkpoints: new MemoryStore(),
  runs: memoryRunList(),
  clock: () => 0,
  createEngine: (model, parameters) => smallEngine(model, parameters),
  onnxRuntime: () => import('onnxruntime-web') as unknown as Promise<OnnxRuntime>,
  tfjs,
};
const notation = unwrap(notationOf(sampleConfig));
const record = { tokens: notation.vocabulary.tokens, step: 7 };
const given = () => modelFolder(sampleConfig, sampleParameters(), record, notation);
const wanted = () => ({ kind: 'files', name: 'My run 3', files: given() }) as const;
const members = (bytes: Uint8Array) => unzipSync(bytes);

test('a folder is read back, says so in its card, and is named by its model and step', async () => {
  const told: Progress[] = [];
  const made = unwrap(await exportHandlers(host).make(wanted(), 'folder', (progress) => told.push(progress)));
  expect(made.name).toBe('my-run-3-step-7.zip');
  expect(made.proof).toEqual({ client: 'this lab', prompts: 64, maxLogitDifference: 0 });
  const files = members(made.bytes);
  expect(Object.keys(files)).toContain('tokenizer.json');
  expect(new TextDecoder().decode(files['README.md'])).toContain('answered 64 prompts');
  expect([...new Set(told.map(({ label }) => label))]).toEqual([
    'Opening the model',
    'Writing the files',
    'Reading it back',
  ]);
  expect(told.every(({ share }, i) => i === 0 || share >= told[i - 1].share)).toBe(true);
});

test('sixteen bits say by how much they differ', async () => {
  const made = unwrap(await exportHandlers(host).make(wanted(), 'folder-half', () => {}));
  expect(made.proof.maxLogitDifference).toBeGreaterThan(0);
  expect(made.proof.maxLogitDifference).toBeLessThan(0.1);
});

test('weights alone are one file', async () => {
  const made = unwrap(await exportHandlers(host).make(wanted(), 'safetensors', () => {}));
  expect(made.name).toBe('my-run-3-step-7.safetensors');
  expect(unwrap(readSafetensors(made.bytes)).tensors.size).toBeGreaterThan(10);
});

test('ONNX is run by onnxruntime before it is given', async () => {
  const made = unwrap(await exportHandlers(host).make(wanted(), 'onnx', () => {}));
  expect(made.proof).toMatchObject({ client: 'onnxruntime-web', prompts: 64 });
  expect(made.proof.maxLogitDifference).toBeLessThan(1e-3);
  expect(Object.keys(members(made.bytes))).toEqual(
    expect.arrayContaining(['onnx/model.onnx', 'onnx/model_quantized.onnx']),
  );
  const card = new TextDecoder().decode(members(made.bytes)['README.md']);
  expect(card).toMatch(/more than \S+ with onnx\/model.onnx and \S+ with onnx\/model_quantized.onnx\./);
});

test('a graph model is run by TensorFlow.js before it is given', async () => {
  const made = unwrap(await exportHandlers(host).make(wanted(), 'tfjs', () => {}));
  expect(made.name).toBe('my-run-3-step-7-tfjs.zip');
  expect(made.proof).toMatchObject({ client: 'TensorFlow.js', prompts: 64 });
  expect(made.proof.maxLogitDifference).toBeLessThan(1e-3);
  const files = members(made.bytes);
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['model.json', 'tokenizer.json']));
  expect(Object.keys(files)).not.toContain('model.safetensors');
  expect(new TextDecoder().decode(files['README.md'])).toContain('TensorFlow.js read this folder');
});

test('a run is exported with the state of its optimiser, which files do not have', async () => {
  const checkpoints = new MemoryStore();
  const runs = memoryRunList();
  await runs.put({ id: 'r', name: 'A run', config: sampleConfig } as RunRecord);
  const checkpoint = sampleCheckpoint(5);
  unwrap(await saveCheckpoint(checkpoints, 'r', 5, encodeCheckpoint(checkpoint)));
  const { make } = exportHandlers({ ...host, checkpoints, runs });
  const made = unwrap(await make({ kind: 'run', id: 'r' }, 'checkpoint', () => {}));
  expect(made.name).toBe('a-run-step-5-checkpoint.zip');
  expect(made.proof).toEqual({ client: 'this lab', prompts: 64, maxLogitDifference: 0 });
  const found = unwrap(decodeCheckpoint(members(made.bytes)['checkpoint-000000005.safetensors']));
  expect(found.optimizer).toEqual(checkpoint.optimizer);
  expect(await make(wanted(), 'checkpoint', () => {})).toMatchObject({ error: { code: 'no-checkpoint' } });
});

test('what answers otherwise than the model is not given', async () => {
  let made = 0;
  const other: ExportHost = {
    ...host,
    // The second engine, which runs what was read back, has other weights.
    createEngine: (model, parameters) => {
      const changed = new Map(parameters);
      if (++made === 2)
        for (const [name, { shape, data }] of parameters) changed.set(name, { shape, data: data.map((x) => x + 0.1) });
      return host.createEngine(model, changed);
    },
  };
  expect(await exportHandlers(other).make(wanted(), 'folder', () => {})).toMatchObject({
    ok: false,
    error: { code: 'export-differs', message: expect.stringContaining('Nothing was saved') },
  });
});

test('damaged files and runs that are gone are refused', async () => {
  const folder = new URL('../../public/checkpoints/chess/', import.meta.url);
  const names = ['model.safetensors', 'config.json', 'blindfold.json', 'training-record.json'];
  const files = new Map(names.map((name) => [name, new Uint8Array(readFileSync(new URL(name, folder)))]));
  const broken = new Map(files).set('model.safetensors', files.get('model.safetensors')!.subarray(0, 1000));
  const refused = await exportHandlers(host).make({ kind: 'files', name: 'x', files: broken }, 'folder', () => {});
  expect(refused.ok).toBe(false);
  expect(await exportHandlers(host).make({ kind: 'run', id: 'gone' }, 'folder', () => {})).toMatchObject({
    error: { code: 'no-run' },
  });
});

test('forms are those that a kind has, with sizes', () => {
  const forms = (model: object) => exportFormsOf(model as never, 1e6, false).map(({ form }) => form);
  expect(forms({ kind: 'gpt2' })).toEqual(['folder', 'folder-half', 'onnx', 'tfjs', 'safetensors']);
  expect(forms({ kind: 'reformer' })).toEqual(['folder', 'folder-half', 'safetensors']);
  expect(exportFormsOf({ kind: 'reformer' } as never, 1e6, true).at(-1)?.form).toBe('checkpoint');
  const [whole, half] = exportFormsOf({ kind: 'qwen3', shift: 0 } as never, 1e6, false);
  expect([whole.title, whole.bytes, half.bytes]).toEqual(['Hugging Face folder', 4e6, 2e6]);
  expect(exportFormsOf({ kind: 'qwen3', shift: 2 } as never, 1e6, false)[0].description).toContain('NumPy');
});
