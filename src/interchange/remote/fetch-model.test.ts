import { afterEach, describe, expect, it, test } from 'vitest';
import { modelHost, type ModelHost } from '../../../fixtures/model-host.ts';
import { sampleConfig, sampleParameters } from '../../../fixtures/sample-run.ts';
import { LIMITS } from '../../base/budget.ts';
import { unwrap } from '../../base/result.ts';
import { grammarOf, notationOf } from '../../domains/domains.ts';
import { writeSafetensors } from '../safetensors.ts';
import { WEIGHTS } from '../folder.ts';
import { modelFolder, modelFromFiles } from '../huggingface.ts';
import { WEIGHTS_INDEXES } from '../weights.ts';
import { Arrived } from './arrived.ts';
import { fetchModel, type FetchProgress } from './fetch-model.ts';
import { modelAddress } from './model-address.ts';

const hosts: ModelHost[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.close()));

const notation = unwrap(notationOf(sampleConfig));
const parameters = sampleParameters();
const ours = modelFolder(sampleConfig, parameters, { tokens: notation.vocabulary.tokens, step: 1 }, notation);

async function hostOf(files: ReadonlyMap<string, Uint8Array>): Promise<ModelHost> {
  const host = await modelHost(new Map([...files].map(([name, bytes]) => [`/some/model/${name}`, bytes])));
  hosts.push(host);
  return host;
}

function fetching(host: ModelHost, how: { store?: Map<string, Arrived>; whole?: number; cancelAt?: number } = {}) {
  const events: FetchProgress[] = [];
  const cancelled = () => how.cancelAt !== undefined && (events.at(-1)?.read ?? 0) >= how.cancelAt;
  const transfer = {
    fetch: (url: string, headers: Record<string, string>) => fetch(url, { headers }),
    cancelled,
    wait: () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
  };
  const limits = { ...LIMITS, whole: how.whole ?? LIMITS.whole };
  const onProgress = (event: FetchProgress) => void events.push(event);
  const found = fetchModel(`${host.address}/some/model`, transfer, onProgress, how.store, limits);
  return { found, events };
}

const codeOf = async (host: ModelHost, how = {}) => {
  const found = await fetching(host, how).found;
  return found.ok ? 'read' : found.error.code;
};

describe('a model at an address', () => {
  it('comes whole from a plain host, with progress in bytes', async () => {
    const host = await hostOf(ours);
    const { found, events } = fetching(host);
    const { name, files } = unwrap(await found);
    expect(name).toBe('model');
    expect([...unwrap(modelFromFiles(files, grammarOf)).parameters]).toEqual([...parameters]);
    expect(events.at(-1)).toEqual({ file: WEIGHTS, read: events.at(-1)!.total, total: events.at(-1)!.read });
  });

  it('goes on where each broken connection ended', async () => {
    const host = await hostOf(ours);
    const size = ours.get(WEIGHTS)!.length;
    host.manners.dropAfter = Math.ceil(size / 2);
    const { files } = unwrap(await fetching(host).found);
    expect(files.get(WEIGHTS)).toEqual(ours.get(WEIGHTS));
    const weights = host.asked.filter((path) => path.includes(WEIGHTS));
    expect(weights).toEqual([`/some/model/${WEIGHTS}`, `/some/model/${WEIGHTS} bytes=${Math.ceil(size / 2)}-`]);
  });

  it('is whole from a host that ignores ranges, once one transfer gets through', async () => {
    const host = await hostOf(ours);
    const size = ours.get(WEIGHTS)!.length;
    host.manners.ranges = false;
    host.manners.dropAfter = size - 1;
    host.manners.onDrop = () => (host.manners.dropAfter = null);
    const { files } = unwrap(await fetching(host).found);
    expect(files.get(WEIGHTS)).toEqual(ours.get(WEIGHTS));
  });

  it('says so where every transfer breaks off, and another call takes up what is there', async () => {
    const host = await hostOf(ours);
    const size = ours.get(WEIGHTS)!.length;
    const store = new Map<string, Arrived>();
    const half = Math.ceil(size / 2);
    host.manners.dropAfter = half;
    const offline = (response: { destroy: () => void }) => void response.destroy();
    host.manners.onDrop = () => (host.manners.instead[`/some/model/${WEIGHTS}`] = offline);
    const failed = await fetching(host, { store }).found;
    expect(failed).toMatchObject({ ok: false, error: { code: 'broken-transfer' } });
    expect(failed.ok ? '' : failed.error.message).toContain(`${half} of ${size} bytes`);
    host.manners.instead = {};
    host.asked.length = 0;
    const { files } = unwrap(await fetching(host, { store }).found);
    expect(files.get(WEIGHTS)).toEqual(ours.get(WEIGHTS));
    expect(host.asked).toEqual([`/some/model/${WEIGHTS} bytes=${half}-`]);
  });

  it.each([
    ['its entity tag', '"second"'],
    ['no entity tag', null],
    ['a weak entity tag', 'W/"first"'],
  ])('begins anew where the file may have changed by %s', async (_, tag) => {
    const other = new Map(ours);
    const host = await hostOf(other);
    const store = new Map<string, Arrived>();
    const url = `${host.address}/some/model/${WEIGHTS}`;
    const stale = new Arrived();
    stale.begin(ours.get(WEIGHTS)!.length, tag?.startsWith('W') ? null : '"first"');
    stale.add(new Uint8Array(100).fill(7));
    store.set(url, stale);
    host.manners.tag = tag;
    const { files } = unwrap(await fetching(host, { store }).found);
    expect(files.get(WEIGHTS)).toEqual(ours.get(WEIGHTS));
  });

  it('comes in several files, each where the index says', async () => {
    const host = await hostOf(inShards());
    const { found, events } = fetching(host);
    const { files } = unwrap(await found);
    expect([...unwrap(modelFromFiles(files, grammarOf)).parameters].sort()).toEqual([...parameters].sort());
    const size = [...parameters.values()].reduce((sum, { data }) => sum + data.byteLength, 0);
    expect(events.at(-1)!.total).toBe(size);
  });

  it('is refused before its weights come where they are too large', async () => {
    const host = await hostOf(ours);
    const { found, events } = fetching(host, { whole: 10_000 });
    expect(await found).toMatchObject({ ok: false, error: { code: 'over-limit' } });
    expect(events.every(({ file }) => file !== WEIGHTS)).toBe(true);
    const shards = await hostOf(inShards());
    expect(await codeOf(shards, { whole: 10_000 })).toBe('over-limit');
    expect(shards.asked.every((path) => !path.endsWith('.safetensors'))).toBe(true);
  });

  it('ends when it is cancelled', async () => {
    expect(await codeOf(await hostOf(ours), { cancelAt: 500 })).toBe('cancelled');
  });

  it('fails with what the host answered', async () => {
    const host = await hostOf(ours);
    const at = (name: string) => `/some/model/${name}`;
    const status = (code: number, type = 'text/plain') => ({
      [at('config.json')]: (response: import('node:http').ServerResponse) =>
        void response.writeHead(code, { 'Content-Type': type }).end('no'),
    });
    for (const [instead, code] of [
      [status(401), 'denied'],
      [status(403), 'denied'],
      [status(451), 'bad-answer'],
      [{ [at(WEIGHTS)]: (response) => void response.writeHead(404).end() }, 'no-model'],
      [
        { [at(WEIGHTS)]: (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>') },
        'not-a-file',
      ],
    ] as [ModelHost['manners']['instead'], string][]) {
      host.manners.instead = instead;
      expect(await codeOf(host)).toBe(code);
    }
    host.manners.instead = {};
    host.close();
    const gone = { ...host, address: 'http://127.0.0.1:1' };
    expect(await codeOf(gone)).toBe('unreachable-address');
    expect(await codeOf(await hostOf(new Map()))).toBe('no-model');
  });

  it('takes a 403 for an optional file as that file missing', async () => {
    const host = await hostOf(ours);
    host.manners.instead['/some/model/vocab.json'] = (response) => void response.writeHead(403).end();
    expect(await codeOf(host)).toBe('read');
  });

  it('says that weights are cut off where the host itself has no more of them', async () => {
    const host = await hostOf(new Map(ours).set(WEIGHTS, ours.get(WEIGHTS)!.subarray(0, -100)));
    const { files } = unwrap(await fetching(host).found);
    expect(modelFromFiles(files, grammarOf)).toMatchObject({ error: { code: 'safetensors-truncated' } });
  });
});

/** The same model with its weights in two files. */
function inShards(): Map<string, Uint8Array> {
  const files = new Map(ours);
  files.delete(WEIGHTS);
  const entries = [...parameters];
  const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
  const half = Math.ceil(entries.length / 2);
  const map = Object.fromEntries(entries.map(([name], i) => [name, names[i < half ? 0 : 1]]));
  for (const [i, part] of [entries.slice(0, half), entries.slice(half)].entries())
    files.set(names[i], writeSafetensors(new Map(part)));
  const size = [...parameters.values()].reduce((sum, { data }) => sum + data.byteLength, 0);
  const index = { metadata: { total_size: size }, weight_map: map };
  return files.set(WEIGHTS_INDEXES[0], new TextEncoder().encode(JSON.stringify(index)));
}

describe('weights in several files', () => {
  const indexed = (change: (index: { weight_map: Record<string, string> }) => void) => {
    const files = inShards();
    const index = JSON.parse(new TextDecoder().decode(files.get(WEIGHTS_INDEXES[0]))) as {
      weight_map: Record<string, string>;
    };
    change(index);
    files.set(WEIGHTS_INDEXES[0], new TextEncoder().encode(JSON.stringify(index)));
    const read = modelFromFiles(files, grammarOf);
    return read.ok ? 'read' : read.error.code;
  };

  it.each([
    ['a file above the folder', () => '../model.safetensors', 'bad-index'],
    ['a file that is missing', () => 'model-3.safetensors', 'shard-missing'],
    ['another file', (file: string) => file.replace('00001', '00002'), 'weights-differ'],
  ])('are refused where the index names %s', (_, change, code) => {
    expect(
      indexed(({ weight_map: map }) => {
        const [first] = Object.keys(map);
        map[first] = change(map[first]);
      }),
    ).toBe(code);
  });

  it('are refused where a tensor is in none of them', () => {
    expect(indexed(({ weight_map: map }) => (map.more = Object.values(map)[0]))).toBe('weights-differ');
  });
});

test.each([
  ['https://huggingface.co/owner/name', 'owner/name', 'https://huggingface.co/owner/name/resolve/main/', null],
  [
    'https://huggingface.co/owner/name/tree/v2/sub',
    'owner/name',
    'https://huggingface.co/owner/name/resolve/v2/sub/',
    null,
  ],
  [
    'https://hf.co/owner/name/resolve/main/model.safetensors',
    'owner/name',
    'https://huggingface.co/owner/name/resolve/main/',
    null,
  ],
  ['https://huggingface.co/o/n/blob/main/config.json?x=1', 'o/n', 'https://huggingface.co/o/n/resolve/main/', null],
  ['https://huggingface.co/gpt2', 'gpt2', 'https://huggingface.co/gpt2/resolve/main/', null],
  ['https://huggingface.co/o/n/resolve/main', 'o/n', 'https://huggingface.co/o/n/resolve/main/', null],
  ['http://a.example/models/mine', 'mine', 'http://a.example/models/mine/', null],
  ['http://a.example/models/mine/', 'mine', 'http://a.example/models/mine/', null],
  ['http://a.example', 'a.example', 'http://a.example/', null],
  ['http://a.example/m/pytorch_model.bin', 'm', 'http://a.example/m/', null],
  ['http://a.example/m/step%201.safetensors', 'step 1.safetensors', 'http://a.example/m/', 'step 1.safetensors'],
  ['http://a.example/m/run.zip', 'run.zip', 'http://a.example/m/', 'run.zip'],
])('the address %s', (text, name, folder, file) => {
  expect(unwrap(modelAddress(text))).toEqual({ name, folder, file });
});

test.each(['owner/name', 'file:///etc', 'https://huggingface.co/', 'https://huggingface.co/datasets/a/b'])(
  'the address %s names no model',
  (text) => {
    expect(modelAddress(text)).toMatchObject({ ok: false, error: { code: 'bad-address' } });
  },
);
