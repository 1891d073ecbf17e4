import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { CheckpointStore } from '../src/training/checkpoint-store.ts';

/** Checkpoints as files of a folder; the run's id is the folder. */
export const folderStore: CheckpointStore = {
  async list(folder) {
    return (await namesIn(folder)).filter((name) => name.startsWith('checkpoint-') && name.endsWith('.safetensors'));
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

/** Puts bytes into a file; resolves once they would survive a full disk. */
export type WriteBytes = (path: string, bytes: Uint8Array) => Promise<void>;

// Some disks tell only then that they are full.
const writeThrough: WriteBytes = (path, bytes) => writeFile(path, bytes, { flush: true });

/** Writes a file whole or not at all: a kill or a full disk in mid-write leaves no half file under a good name. */
export function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  return writeTogether(folder, new Map([[name, bytes]]));
}

/** The same for the text of a file. */
export function writeText(path: string, text: string): Promise<void> {
  const file = resolve(path);
  return writeWhole(dirname(file), basename(file), new TextEncoder().encode(text));
}

/** Writes files that belong together, such as a model's, some in folders of their own: where one does not fit, what lay there before stays, all of it. */
export async function writeTogether(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
  write: WriteBytes = writeThrough,
): Promise<void> {
  const part = (name: string): string => join(folder, dirname(name), `.${basename(name)}.${process.pid}.part`);
  try {
    for (const within of new Set([...files.keys()].map(dirname)))
      await mkdir(join(folder, within), { recursive: true });
    for (const [name, bytes] of files) await write(part(name), bytes);
    for (const name of files.keys()) await rename(part(name), join(folder, name));
  } catch (error) {
    for (const name of files.keys()) await rm(part(name), { force: true });
    throw error;
  }
}

/** Removes the parts of files that processes which are no longer alive have left. */
export async function clearParts(folder: string, isAlive: (pid: number) => boolean): Promise<void> {
  for (const name of await namesIn(folder)) {
    const writer = /^\..+\.(\d+)\.part$/.exec(name);
    if (writer && !isAlive(Number(writer[1]))) await rm(join(folder, name), { force: true });
  }
}

const namesIn = (folder: string): Promise<string[]> => orMissing(readdir(folder), []);

/** What is asked of a file, or `missing` where there is no such file. */
export async function orMissing<T, M>(asked: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
}
