import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { commandFolder } from '../fixtures/command-line/folder.ts';
import { modelHost } from '../fixtures/model-host.ts';
import { pickle, pytorchFile, pytorchModel, textOp } from '../fixtures/pytorch-bin.ts';
import { sampleConfig, sampleParameters } from '../fixtures/sample-run.ts';
import { readModel } from './open-model.ts';
import { openFiles } from '../workers/measure/open-model.ts';
import { unwrap } from '../src/base/result.ts';
import { grammarOf, notationOf } from '../src/domains/domains.ts';
import type { NamedArrays } from '../src/models/parameters.ts';
import { modelFolder, modelFromFiles, WEIGHTS, type Files } from '../src/interchange/huggingface.ts';
import { fetchModel } from '../src/interchange/remote/fetch-model.ts';

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const hasTorch = spawnSync(PYTHON, ['-c', 'import torch, safetensors']).status === 0;
const { folder } = commandFolder('bin-shards');

const INDEX = 'pytorch_model.bin.index.json';
const [FIRST, SECOND] = [1, 2].map((part) => `pytorch_model-0000${part}-of-00002.bin`);
const parameters = sampleParameters();
const notation = unwrap(notationOf(sampleConfig));
const whole = modelFolder(sampleConfig, parameters, { tokens: notation.vocabulary.tokens, step: 1 }, notation);
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** The model's folder with its weights in two files, every other tensor in each. */
function inShards(change: (map: Record<string, string>) => void = () => {}): Files {
  const files = new Map(whole);
  files.delete(WEIGHTS);
  const parts: NamedArrays[] = [new Map(), new Map()];
  const map: Record<string, string> = {};
  for (const [i, [name, tensor]] of [...parameters].entries()) {
    parts[i % 2].set(name, tensor);
    map[name] = [FIRST, SECOND][i % 2];
  }
  change(map);
  files.set(FIRST, pytorchModel(parts[0])).set(SECOND, pytorchModel(parts[1]));
  return files.set(INDEX, json({ metadata: { total_size: 1000 }, weight_map: map }));
}
const sorted = (found: NamedArrays) => [...found].sort(([one], [other]) => (one < other ? -1 : 1));
const codeOf = (files: Files) => {
  const read = modelFromFiles(files, grammarOf);
  return read.ok ? 'read' : `${read.error.code}: ${read.error.message}`;
};

describe('pytorch_model.bin in several files', () => {
  it('opens from a folder', async () => {
    for (const [name, bytes] of inShards()) writeFileSync(join(folder, name), bytes);
    expect(sorted((await readModel(folder)).parameters)).toEqual(sorted(parameters));
  });

  it('opens as it is dropped, loose or in an archive', async () => {
    const loose = await openFiles('dropped', inShards(), () => 0);
    expect(sorted(loose.parameters)).toEqual(sorted(parameters));
    const archive = zipSync(Object.fromEntries([...inShards()].map(([name, bytes]) => [`model/${name}`, bytes])));
    const packed = await openFiles('dropped', new Map([['model.zip', archive]]), () => 0);
    expect(sorted(packed.parameters)).toEqual(sorted(parameters));
  });

  it('comes from an address, where safetensors are not there', async () => {
    const host = await modelHost(new Map([...inShards()].map(([name, bytes]) => [`/a/model/${name}`, bytes])));
    const transfer = {
      fetch: (url: string, headers: Record<string, string>) => fetch(url, { headers }),
      cancelled: () => false,
      wait: () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
    };
    const { files } = unwrap(await fetchModel(`${host.address}/a/model`, transfer, () => {}));
    host.close();
    expect(sorted(unwrap(modelFromFiles(files, grammarOf)).parameters)).toEqual(sorted(parameters));
  });

  const script = `
import json, sys, torch
from safetensors.torch import load_file
state = load_file(sys.argv[1])
names = list(state)
shards = {sys.argv[3]: names[::2], sys.argv[4]: names[1::2]}
for file, some in shards.items():
    torch.save({name: state[name] for name in some}, f"{sys.argv[2]}/{file}")
index = {"metadata": {"total_size": sum(x.numel() * 4 for x in state.values())}, "weight_map": {name: file for file, some in shards.items() for name in some}}
json.dump(index, open(f"{sys.argv[2]}/pytorch_model.bin.index.json", "w"))
`;
  it.skipIf(!hasTorch)(`opens as torch.save writes them${hasTorch ? '' : ' (needs torch)'}`, () => {
    const out = mkdtempSync(join(folder, 'torch-'));
    writeFileSync(join(folder, 'given.safetensors'), whole.get(WEIGHTS)!);
    const given = ['-c', script, join(folder, 'given.safetensors'), out, FIRST, SECOND];
    const { status, stderr } = spawnSync(PYTHON, given, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const files = new Map(whole);
    files.delete(WEIGHTS);
    for (const name of readdirSync(out)) files.set(name, new Uint8Array(readFileSync(join(out, name))));
    expect(files.has(INDEX)).toBe(true);
    expect(sorted(unwrap(modelFromFiles(files, grammarOf)).parameters)).toEqual(sorted(parameters));
  });

  const system = pytorchFile(pickle([0x80, 2], 'cos\nsystem\n(', ...textOp('true'), 'tR.'));
  const [name] = parameters.keys();
  it.each<[string, Files, string]>([
    ['a part is missing', new Map([...inShards()].filter(([file]) => file !== SECOND)), `shard-missing: ${SECOND}`],
    ['a part has code', inShards().set(SECOND, system), `${SECOND}: `],
    ['a part is cut off', inShards().set(FIRST, inShards().get(FIRST)!.slice(0, 300)), `${FIRST}: `],
    ['a part is above the folder', inShards((map) => (map[name] = '../x.bin')), 'bad-index'],
    ['a part is a program', inShards((map) => (map[name] = 'x.py')), 'bad-index'],
    ['a tensor is in the other part', inShards((map) => (map[name] = SECOND)), 'weights-differ'],
    ['a tensor is not listed', inShards((map) => delete map[name]), 'weights-differ'],
    ['a tensor is in no part', inShards().set(FIRST, pytorchModel(new Map())), 'weights-differ'],
    ['the index is a list', inShards().set(INDEX, json([1])), 'bad-index'],
    ['the index is deep', inShards().set(INDEX, new TextEncoder().encode('['.repeat(1e5))), 'bad-index'],
  ])('is refused where %s', (_, files, told) => {
    expect(codeOf(files)).toContain(told);
    expect(codeOf(files)).not.toBe('read');
  });
});
