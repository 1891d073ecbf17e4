import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sampleCheckpoint } from '../../fixtures/sample-run.ts';
import { unwrap } from '../base/result.ts';
import { optimizerOfKind } from '../config/optimizers.ts';
import { checkpointFolder } from './checkpoint-folder.ts';
import { decodeCheckpoint } from './checkpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'blindfold-checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NAME = 'checkpoint-000000005.safetensors';
const byMuon = sampleCheckpoint(5);
const optimizer = { ...optimizerOfKind(byMuon.config.optimizer, 'adamw'), weightDecay: 0.1, clipNorm: 2 };
const checkpoint = { ...byMuon, config: { ...byMuon.config, optimizer } };
for (const [name, { data }] of checkpoint.optimizer.moments)
  if (name.startsWith('v.')) for (let i = 0; i < data.length; i++) data[i] = Math.abs(data[i]);
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const codeIn = (readme: string) => /```python\n([^]*?)```/.exec(readme)![1];

it('is the checkpoint as it is stored, with a README', () => {
  const files = checkpointFolder(checkpoint);
  expect([...files.keys()]).toEqual([NAME, 'README.md']);
  expect(unwrap(decodeCheckpoint(files.get(NAME)!)).optimizer).toEqual(checkpoint.optimizer);
  const readme = textOf(files.get('README.md'));
  expect(readme).toContain('clipped to a norm of 2');
  expect(readme).not.toContain('Muon');
});

it('names the matrices that Muon moves, whose state is no state of AdamW', () => {
  const readme = textOf(checkpointFolder(byMuon).get('README.md'));
  expect(codeIn(readme)).toContain('muon = ["transformer.h.0.attn.c_attn.weight"');
});

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const hasTorch = spawnSync(PYTHON, ['-c', 'import torch, safetensors']).status === 0;

it.skipIf(!hasTorch)('goes on in PyTorch by the code of its README (needs torch and safetensors)', () => {
  const files = checkpointFolder(checkpoint);
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  const program = `${codeIn(textOf(files.get('README.md')))}
model = torch.nn.Module()
for name, tensor in weights.items():
    at = model
    *path, last = name.split(".")
    for part in path:
        if part not in at._modules:
            at.add_module(part, torch.nn.Module())
        at = at._modules[part]
    at.register_parameter(last, torch.nn.Parameter(torch.zeros_like(tensor)))
optimizer = restored(model)
for parameter in model.parameters():
    parameter.grad = torch.full_like(parameter, 0.01)
optimizer.step()
print(json.dumps({name: parameter.flatten()[:5].tolist() for name, parameter in model.named_parameters()}))
`;
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', program], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  const moved = JSON.parse(stdout) as Record<string, number[]>;
  expect(Object.keys(moved).sort()).toEqual([...checkpoint.parameters.keys()].sort());

  const { schedule } = checkpoint.config;
  const { learningRate, beta1, beta2, epsilon, weightDecay } = optimizer;
  const left = (schedule.steps - 5) / (schedule.steps - 3);
  const rate = learningRate * (schedule.floor + (1 - schedule.floor) * left);
  for (const [name, { data }] of checkpoint.parameters) {
    const [m, v] = ['m', 'v'].map((kind) => checkpoint.optimizer.moments.get(`${kind}.${name}`)!.data);
    for (const [i, weight] of moved[name].entries()) {
      const mean = (beta1 * m[i] + (1 - beta1) * 0.01) / (1 - beta1 ** 6);
      const square = (beta2 * v[i] + (1 - beta2) * 0.01 ** 2) / (1 - beta2 ** 6);
      const expected = data[i] * (1 - rate * weightDecay) - (rate * mean) / (Math.sqrt(square) + epsilon);
      expect(weight).toBeCloseTo(expected, 5);
    }
  }
});
