import { describe, expect, it } from 'vitest';
import { sampleConfig, sampleModel, sampleParameters } from '../../../fixtures/sample-run.ts';
import { concatenated } from '../../base/bytes.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { initialParameters, type ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { modelFolder, modelFromFiles } from '../huggingface.ts';
import { modelProto, type Tensor } from './model-proto.ts';
import { ONNX_FILES, ONNX_TYPES } from './onnx-files.ts';
import { withOnnx } from './onnx-folder.ts';
import { onnxModel } from './onnx-model.ts';
import { Message } from './protobuf.ts';
import { readOnnx } from './read-onnx.ts';

const sizes = { vocabulary: 11, width: 8, heads: 2, context: 16, slots: null };
const models: ModelConfig[] = [
  { ...sizes, kind: 'gpt2', layers: 1, dropout: 0, window: null, start: 'gpt2', tied: false },
  { ...sizes, kind: 'qwen3', layers: 1, mlp: 16, rotaryBase: 1000, window: null, shift: 2 },
  { ...sizes, kind: 'lfm2', pattern: 'ca', taps: 3, mlp: 16, rotaryBase: 1000 },
  { ...sizes, kind: 'lstm', layers: 2, dropout: 0 },
];

function parametersOf(model: ModelConfig): NamedArrays {
  const random = seededRandom('read');
  const parameters = initialParameters(model, random);
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += random.normal();
  return parameters;
}

const sorted = (parameters: NamedArrays) => [...parameters].sort(([a], [b]) => (a < b ? -1 : 1));

describe.each(models)('the parameters of a $kind', (model) => {
  const parameters = parametersOf(model);

  it('come back from 32 bits as they were', () => {
    expect(sorted(unwrap(readOnnx(unwrap(onnxModel(model, parameters, 'f32')))))).toEqual(sorted(parameters));
  });

  it.each([
    ['f16', 2 ** -11],
    ['q8', 1 / 254],
  ] as const)('come back from %s as near as it stores them', (type, error) => {
    const found = unwrap(readOnnx(unwrap(onnxModel(model, parameters, type))));
    expect([...found.keys()].sort()).toEqual([...parameters.keys()].sort());
    for (const [name, { shape, data }] of parameters) {
      expect(found.get(name)!.shape).toEqual(shape);
      const largest = data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      const farthest = data.reduce((most, x, i) => Math.max(most, Math.abs(x - found.get(name)!.data[i])), 0);
      expect(farthest).toBeLessThanOrEqual(largest * error * 1.0001);
    }
  });
});

it('a folder with ONNX alone opens as the same model', () => {
  const notation = { slots: null, tokenizerRules: () => null };
  const folder = modelFolder(sampleConfig, sampleParameters(), { tokens: [], step: 0 }, notation);
  const opened = unwrap(modelFromFiles(folder, () => null));
  const files = unwrap(withOnnx(folder, sampleModel, ONNX_TYPES));
  files.delete('model.safetensors');
  expect(unwrap(modelFromFiles(files, () => null))).toEqual(opened);
  files.delete(ONNX_FILES.f32.file);
  expect(unwrap(modelFromFiles(files, () => null)).model).toEqual(opened.model);
});

describe('a file that is not to be trusted', () => {
  const [model] = models;
  const whole = unwrap(onnxModel(model, parametersOf(model), 'q8'));
  const tensor = (fields: Partial<Tensor>): Tensor => ({
    ...{ name: 'a', type: 'float', shape: [2], data: new Uint8Array(8), ...fields },
  });
  const fileOf = (...initializers: Tensor[]) =>
    concatenated(modelProto({ name: '', nodes: [], initializers, inputs: [], outputs: [] }, {}).parts);
  const varint = (value: bigint) => {
    const bytes: number[] = [];
    for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
    return Uint8Array.of(...bytes, Number(value));
  };
  const message = (parts: Message) => concatenated(parts.parts);

  it('is refused wherever it is cut off', () => {
    for (let length = 0; length < whole.length; length += 89) {
      const found = readOnnx(whole.subarray(0, length));
      // Behind the graph there are only the version of the operators and the notes.
      if (length < whole.length - 40) expect(found).toMatchObject({ ok: false, error: { code: 'onnx-invalid' } });
    }
  });

  it.each([
    ['a length of four gigabytes', concatenated([Uint8Array.of(7 * 8 + 2), varint(2n ** 32n)]), /4294967296 bytes/],
    ['a length of 2^63', concatenated([Uint8Array.of(7 * 8 + 2), varint(2n ** 63n)]), /field 7 says/],
    ['a number without an end', new Uint8Array(40).fill(0xff), /more than ten bytes/],
    ['a group, which protobuf no longer has', Uint8Array.of(7 * 8 + 3), /no known form/],
    ['no graph', message(new Message().int(1, 8)), /no graph/],
    ['two graphs', message(new Message().text(2, 'Blindfold').text(7, '').text(7, '')), /second graph/],
    ['another maker', message(new Message().text(2, 'pytorch').text(7, '')), /written by "pytorch"/],
    ['a name twice', fileOf(tensor({}), tensor({})), /second tensor "a"/],
    ['a shape of too much', fileOf(tensor({ shape: [2 ** 20, 2 ** 20] })), /has 8 bytes where its shape needs/],
    ['a shape of an endless product', fileOf(tensor({ shape: Array<number>(8).fill(2 ** 52) })), /has 8 bytes where/],
    ['a shape of many sides', fileOf(tensor({ shape: Array<number>(9).fill(1) })), /more than 8 numbers/],
    ['a side below zero', fileOf(tensor({ shape: [-2] })), /has 8 bytes where its shape needs/],
    ['8 bits without scales', fileOf(tensor({ type: 'int8', shape: [8] })), /without the scales/],
    [
      '8 bits with scales of another shape',
      fileOf(tensor({ type: 'int8', shape: [2, 4] }), tensor({ name: 'a_scale', shape: [1, 2] })),
      /without the scales/,
    ],
    ['a type that weights never have', fileOf(tensor({ type: 'uint8', shape: [8] })), /numbers of another type \(2\)/],
    ['JSON', new TextEncoder().encode('{"a": 1}'), /no known form|no field|cut off/],
    ['ten thousand tensors and more', fileOf(...many(10_001)), /more than 10000 tensors/],
  ])('is refused: %s', (_, bytes, expected) => {
    const found = readOnnx(bytes);
    expect(found.ok ? 'read' : found.error.message).toMatch(expected);
  });

  function many(count: number): Tensor[] {
    return Array.from({ length: count }, (_, i) => tensor({ name: `t${i}`, shape: [0], data: new Uint8Array() }));
  }
});
