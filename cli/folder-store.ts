import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointStore } from '../src/training/checkpoint-store.ts';

/** Checkpoints as files of a folder; the run's id is the folder. */
export const folderStore: CheckpointStore = {
  async list(folder) {
    try {
      return (await readdir(folder)).filter((name) => name.startsWith('checkpoint-') && name.endsWith('.safetensors'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  },
  async read(folder, name) {
    return new Uint8Array(await readFile(join(folder, name)));
  },
  async write(folder, name, bytes) {
    await mkdir(folder, { recursive: true });
    await writeWhole(folder, name, bytes);
  },
  async remove(folder, name) {
    await rm(join(folder, name), { force: true });
  },
};

/** Writes a file whole or not at all: a kill or a full disk in mid-write leaves no half file under a good name. */
export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const unfinished = join(folder, `.${name}.part`);
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
