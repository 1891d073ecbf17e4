import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandFolder } from '../fixtures/command-line/folder.ts';
import { removeModelBefore, writeModel } from './model-files.ts';

const { folder: out } = commandFolder('model');

const files = (text: string) =>
  new Map(['config.json', 'model.safetensors', 'README.md'].map((name) => [name, new TextEncoder().encode(text)]));

/** A disk that has room for one file more, and for half of the next. */
async function fillingDisk(path: string, bytes: Uint8Array): Promise<void> {
  if (path.includes('config.json')) return writeFile(path, bytes);
  writeFileSync(path, bytes.subarray(0, 1));
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

it('leaves the model of before whole on a full disk, and says where the last weights are', async () => {
  expect(await writeModel(out, files('before'), { step: 4, onDisk: 4 })).toEqual({ ok: true, value: undefined });
  const failed = await writeModel(out, files('after'), { step: 9, onDisk: 6 }, fillingDisk);
  expect(failed).toMatchObject({ ok: false, error: { code: 'model-not-written' } });
  const { message } = (failed as { error: { message: string } }).error;
  expect(message).toContain('The model of step 9 was not written: the disk is full.');
  expect(message).toContain(`step 6, ${join(out, 'checkpoint-000000006.safetensors')}`);
  expect(readdirSync(out).sort()).toEqual([...files('').keys()].sort());
  for (const name of files('').keys()) expect(readFileSync(join(out, name), 'utf8')).toBe('before');
});

it('says that nothing is left where no checkpoint was written', async () => {
  const failed = await writeModel(out, files('after'), { step: 1, onDisk: null }, fillingDisk);
  expect(failed).toMatchObject({ error: { message: expect.stringContaining('No checkpoint of this run') } });
});

it('removes a model once a later checkpoint is there, and none that is newer than the checkpoint', async () => {
  writeFileSync(join(out, 'blindfold.json'), JSON.stringify({ record: { step: 40 } }));
  await removeModelBefore(out, 20);
  expect(readdirSync(out)).toContain('model.safetensors');
  await removeModelBefore(out, 50);
  expect(readdirSync(out)).toEqual([]);
});
