import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { intOp, pickle, pytorchFile, pytorchModel, tableOf, tensorOp, textOp } from '../../../fixtures/pytorch-bin.ts';
import { sampleConfig, sampleParameters } from '../../../fixtures/sample-run.ts';
import { unwrap } from '../../base/result.ts';
import { grammarOf, notationOf } from '../../domains/domains.ts';
import { modelFolder, modelFromFiles, PYTORCH_WEIGHTS, WEIGHTS } from '../huggingface.ts';
import { readSafetensors } from '../safetensors.ts';
import { readPytorch } from './read-pytorch.ts';

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const hasTorch = spawnSync(PYTHON, ['-c', 'import torch, safetensors']).status === 0;
const read = (bytes: Uint8Array) => readPytorch(bytes, PYTORCH_WEIGHTS);

it('opens a folder whose weights are pytorch_model.bin', () => {
  const notation = unwrap(notationOf(sampleConfig));
  const parameters = sampleParameters();
  const files = modelFolder(sampleConfig, parameters, { tokens: notation.vocabulary.tokens, step: 1 }, notation);
  files.delete(WEIGHTS);
  files.set(PYTORCH_WEIGHTS, pytorchModel(parameters));
  expect([...unwrap(modelFromFiles(files, grammarOf)).parameters]).toEqual([...parameters]);
});

it.skipIf(!hasTorch)(`reads what torch.save writes${hasTorch ? '' : ' (needs torch)'}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'blindfold-pytorch-'));
  const script = `
import sys, torch
from safetensors.torch import save_file
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Linear(5, 3), torch.nn.Linear(5, 3).half())
model[2].weight.data = model[2].weight.data.bfloat16()
state = model.state_dict()
both = torch.randn(10)
state["first"], state["second"], state["mask"] = both[:4], both[4:].view(2, 3), torch.ones(2, dtype=torch.bool)
state["tied"] = state["0.weight"]
state["parameter"] = torch.nn.Parameter(torch.randn(2))
torch.save(state, sys.argv[1])
save_file({name: x.detach().clone() for name, x in state.items() if x.is_floating_point()}, sys.argv[2])
`;
  const [bin, safe] = [join(folder, 'a.bin'), join(folder, 'a.safetensors')];
  const { status, stderr } = spawnSync(PYTHON, ['-c', script, bin, safe], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const found = Object.fromEntries(unwrap(read(new Uint8Array(readFileSync(bin)))));
  const expected = Object.fromEntries(unwrap(readSafetensors(new Uint8Array(readFileSync(safe)))).tensors);
  rmSync(folder, { recursive: true });
  expect(Object.keys(expected)).toHaveLength(10);
  expect(found).toEqual(expected);
});

const four = { 0: new Uint8Array(16) };
const whole = tensorOp('0', 0, [4]);
/** A list that holds the one before it ten times, thirty times over. */
const bomb = [
  '(]q',
  [0],
  ...Array.from({ length: 30 }, () => ['](', ...Array.from({ length: 10 }, () => ['h', [0]]).flat(), 'eq', [0]]).flat(),
];
const told = (bytes: Uint8Array) => {
  const found = read(bytes);
  return found.ok ? 'read' : found.error.message;
};

it.each([
  ['a call of os.system', pytorchFile(pickle([0x80, 2], 'cos\nsystem\n(', ...textOp('true'), 'tR.')), 'os.system'],
  [
    'the same by STACK_GLOBAL',
    pytorchFile(pickle(...textOp('posix'), ...textOp('system'), [0x93], '.')),
    'posix.system',
  ],
  ['builtins', pytorchFile(pickle('cbuiltins\neval\n.')), 'builtins.eval'],
  ['an instruction that makes objects', pytorchFile(pickle('}', [0x81], '.')), '0x81'],
  ['a memo bomb', pytorchFile(pickle(...bomb, 't.')), 'no table of tensors'],
  ['what was never stored', pytorchFile(pickle('h', [7], '.')), 'never stored (7)'],
  ['more than there is on the stack', pytorchFile(pickle('(s.')), 'takes more than it has'],
  ['a text of four gigabytes', pytorchFile(pickle('X', [255, 255, 255, 255])), 'ends too early'],
  ['a tensor beyond its storage', pytorchFile(tableOf({ a: tensorOp('0', 1, [4]) }), four), 'lies beyond its storage'],
  [
    'a tensor of a gigabyte',
    pytorchFile(tableOf({ a: tensorOp('0', 0, [1 << 14, 1 << 14]) }), four),
    'lies beyond its storage',
  ],
  [
    'sizes beyond all numbers',
    pytorchFile(tableOf({ a: tensorOp('0', 0, Array<number>(8).fill(2 ** 31 - 1)) }), four),
    'lies beyond its storage',
  ],
  ['a tensor below its storage', pytorchFile(tableOf({ a: tensorOp('0', -1, [4]) }), four), 'other than tensors'],
  [
    'tensors across each other',
    pytorchFile(tableOf({ a: whole, b: tensorOp('0', 1, [2]) }), four),
    '"b" lies across another',
  ],
  [
    'one storage as two types',
    pytorchFile(tableOf({ a: whole, b: tensorOp('0', 0, [8], 'Half') }), four),
    '"b" lies across another',
  ],
  [
    'a storage that is not there',
    pytorchFile(tableOf({ a: tensorOp('9', 0, [4]) }), four),
    'the numbers of "a" are missing',
  ],
  ['what is no tensor', pytorchFile(tableOf({ a: intOp(3) }), four), '"a" is no tensor'],
  ['the form before PyTorch 1.6', pickle([0x80, 2], '}.'), 'before PyTorch 1.6'],
  ['no archive', pickle('PK'), 'zip'],
])('refuses %s', (_, bytes, expected) => {
  expect(told(bytes)).toContain(expected);
});

it('takes tensors that stand side by side, and the same one twice', () => {
  const table = tableOf({ a: tensorOp('0', 0, [2]), b: tensorOp('0', 2, [2, 1]), c: tensorOp('0', 0, [2]) });
  const data = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
  expect([...unwrap(read(pytorchFile(table, { 0: data })))]).toEqual([
    ['a', { shape: [2], data: Float32Array.of(1, 2) }],
    ['b', { shape: [2, 1], data: Float32Array.of(3, 4) }],
    ['c', { shape: [2], data: Float32Array.of(1, 2) }],
  ]);
});
