import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import type { SlotGrammar } from '../../base/slot-grammar.ts';
import { defaultPreset } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { createEngine } from '../../engine/runtimes/tfjs/create-engine.ts';
import { initialParameters } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import { halved, modelFolder, modelFromFiles, type Files } from '../huggingface.ts';
import { readSafetensors } from '../safetensors.ts';

const PYTHON = '/usr/bin/python3';
const withNumpy = spawnSync(PYTHON, ['-c', 'import numpy']).status === 0;

/** A grammar of 2 states and 3 slots over 9 tokens. */
const grammar: SlotGrammar = {
  count: 3,
  states: 2,
  slot: Array.from({ length: 18 }, (_, i) => (i * i + 1) % 3),
  next: Array.from({ length: 18 }, (_, i) => (i >> 1) % 2),
};
const notation = { slots: grammar, tokenizerRules: () => null };
const record = { tokens: ['<pad>', '<s>', '</s>', ...'abcdef'], step: 7 };

function made(settings: { slots: boolean; tied: boolean; window: number | null }) {
  const sizes = { layers: 2, width: 16, heads: 2, mlp: 24, context: 24, rotaryBase: 100, shift: 3 } as const;
  const config: RunConfig = { ...defaultPreset.config, model: { kind: 'qwen3', ...sizes, ...settings } };
  const model = modelOf(config, { size: 9, slots: grammar });
  const random = seededRandom('shifted');
  const parameters = initialParameters(model, random);
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.3 * random.normal();
  return { config, model, parameters, files: modelFolder(config, parameters, record, notation) };
}
const readmeOf = (files: Files) => new TextDecoder().decode(files.get('README.md'));
const cases = [
  { slots: true, tied: true, window: null },
  { slots: false, tied: false, window: 4 },
];

describe.each(cases)('a folder of a Qwen3 with a shift: %o', (settings) => {
  it('says how it is computed, since no library has it, and comes back without loss', () => {
    const { config, model, parameters, files } = made(settings);
    const slots = settings.slots ? ['slots.json'] : [];
    expect([...files.keys()]).toEqual(['model.safetensors', 'blindfold.json', ...slots, 'README.md']);
    expect(readmeOf(files)).toContain('has a class that computes exactly this');
    const { tensors } = unwrap(readSafetensors(files.get('model.safetensors')!));
    expect(tensors).toEqual(parameters);
    const imported = (files: Files) => modelFromFiles(files, () => grammar);
    expect(unwrap(imported(files))).toEqual({ model, parameters, config, record, folder: true });
    expect(unwrap(imported(unwrap(halved(files)))).model).toEqual(model);

    const without = new Map([...files].filter(([name]) => name !== 'blindfold.json'));
    expect(imported(without)).toMatchObject({ ok: false, error: { code: 'no-config' } });
    const other = { ...config, model: { ...config.model, shift: 2 } };
    const differing = new Map(files).set('blindfold.json', new TextEncoder().encode(JSON.stringify({ config: other })));
    expect(imported(differing)).toMatchObject({ ok: false, error: { code: 'weights-differ' } });
  });

  it.runIf(withNumpy)('has a README whose program computes it (needs numpy)', async () => {
    const { model, parameters, files } = made(settings);
    const ids = [1, 5, 3, 8, 8, 4, 6, 2, 7, 3];
    const found = await byReadme(files, ids);
    const engine = await createEngine({ backend: 'cpu', model, parameters });
    for (const [t, row] of found.entries()) {
      const [{ root }] = await engine.leafLogits([ids.slice(0, t + 1)], [[]]);
      expect(row).toHaveLength(root.length);
      row.forEach((value, i) => expect(Math.abs(value - root[i])).toBeLessThan(1e-4));
    }
    engine.dispose();
  });
});

/** Logits after each token by the program in the README; a few lines stand for the package safetensors. */
async function byReadme(files: Files, ids: readonly number[]): Promise<number[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'blindfold-readme-'));
  try {
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    const program = /```python\n([\s\S]*?)```/.exec(readmeOf(files))![1];
    const reader = `import sys, types, json, numpy as np
def load_file(path):
    raw = open(path, "rb").read()
    size = int.from_bytes(raw[:8], "little")
    head = json.loads(raw[8 : 8 + size])
    data = raw[8 + size :]
    part = lambda x: np.frombuffer(data[slice(*x["data_offsets"])], "<f4").reshape(x["shape"])
    return {name: part(x) for name, x in head.items() if name != "__metadata__"}
sys.modules["safetensors"] = types.ModuleType("safetensors")
sys.modules["safetensors.numpy"] = types.ModuleType("safetensors.numpy")
sys.modules["safetensors.numpy"].load_file = load_file
`;
    const all = `${reader}\n${program}\nprint(json.dumps(logits(${JSON.stringify(ids)}).tolist()))`;
    const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', all], { cwd: folder, timeout: 30_000 });
    if (status !== 0) throw new Error(stderr.toString());
    return JSON.parse(stdout.toString()) as number[][];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
