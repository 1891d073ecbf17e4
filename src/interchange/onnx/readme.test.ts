import { expect, it } from 'vitest';
import { ort } from '../../../fixtures/onnx-clients.ts';
import { parametersOf } from '../../../fixtures/small-models.ts';
import { unwrap } from '../../base/result.ts';
import { defaultPreset } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { notationOf } from '../../domains/domains.ts';
import { createEngine } from '../../engine/runtimes/tfjs/create-engine.ts';
import { modelOf } from '../../models/of-config.ts';
import { modelFolder } from '../huggingface.ts';
import { withTfjs } from '../tfjs/tfjs-folder.ts';
import { withOnnx } from './onnx-folder.ts';

const gpt2 = { kind: 'gpt2', layers: 1, width: 8, heads: 2, context: 32, dropout: 0, window: null, start: 'gpt2' };
const lstm = { kind: 'lstm', layers: 2, width: 8, context: 32, dropout: 0 };
const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...given: unknown[]) => Promise<Float32Array>;

function folderOf(notationName: string, settings: object) {
  const config = { ...defaultPreset.config, notation: notationName, model: settings } as unknown as RunConfig;
  const notation = unwrap(notationOf(config));
  const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
  const parameters = parametersOf(model);
  const record = { tokens: notation.vocabulary.tokens, step: 1 };
  return { folder: modelFolder(config, parameters, record, notation), model, parameters };
}
const readmeOf = (files: ReadonlyMap<string, Uint8Array>) => new TextDecoder().decode(files.get('README.md'));

it.each([
  ['a GPT-2 with an automaton for its slots', 'splat', { ...gpt2, tied: true, slots: true }],
  ['an LSTM', 'uci', { ...lstm, slots: false }],
  ['an LSTM with slots', 'splat', { ...lstm, slots: true }],
])('the README of %s has lines for onnxruntime that give the model’s logits', async (_, notation, settings) => {
  const { folder, model, parameters } = folderOf(notation, settings);
  const files = unwrap(withOnnx(folder, model, ['f32']));
  const readme = readmeOf(files);
  expect(readme).not.toMatch(/python|model\.safetensors|<!--/);
  const [, lines] = /```js\n([^]*?)```/.exec(readme)!;
  const fileAt = (path: string) => files.get(path.replace('path/of/this/folder/', ''))!;
  const session = {
    create: (path: string) => ort.InferenceSession.create(fileAt(path), { executionProviders: ['wasm'] }),
  };
  const fetched = async (path: string) => ({ json: async () => JSON.parse(new TextDecoder().decode(fileAt(path))) });
  const body = `${lines.replace(/^import .*$/m, '')}\nreturn next;`;
  const next = await new AsyncFunction('ort', 'fetch', body)(
    { Tensor: ort.Tensor, InferenceSession: session },
    fetched,
  );
  const engine = await createEngine({ backend: 'cpu', model, parameters });
  const [{ root }] = await engine.leafLogits([[1]], [[]]);
  engine.dispose();
  if (model.kind === 'lstm') expect(Math.max(...root.map((logit, i) => Math.abs(logit - next[i])))).toBeLessThan(1e-4);
  // A file of readings has a row for each way in which a token is read: every logit of the model is among them.
  else for (const logit of root) expect(Math.min(...next.map((other) => Math.abs(logit - other)))).toBeLessThan(1e-4);
});

it('a folder with a tokenizer has lines for transformers.js, and one of TensorFlow.js none for Python', () => {
  const { folder, model } = folderOf('uci', { ...gpt2, tied: true, slots: false });
  expect(readmeOf(folder)).toMatch(/```python[^]*AutoTokenizer[^]*```/);
  const onnx = readmeOf(unwrap(withOnnx(folder, model, ['f32'])));
  expect(onnx).toContain("pipeline('text-generation'");
  expect(onnx).toContain('The tokenizer puts the token that begins a game first.');
  for (const readme of [onnx, readmeOf(unwrap(withTfjs(folder, model)))]) {
    expect(readme).toMatch(/^---\nlibrary_name/);
    expect(readme).not.toMatch(/python|safetensors|AutoModel|\n{3}/);
  }
});
