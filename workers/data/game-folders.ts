import { MANIFEST, type FetchBytes } from '../../src/data/shards.ts';

/** Where imported sets of games lie: a folder of shards each. */
export interface GameFolders {
  keys(): Promise<string[]>;
  reader(key: string): FetchBytes;
  write(key: string, path: string, bytes: Uint8Array): Promise<void>;
  remove(key: string): Promise<void>;
  /** Does the work while no other tab imports. */
  importing<T>(work: () => Promise<T>): Promise<T>;
  /** Removes what an import left behind whose tab was closed; does nothing while any tab imports. */
  sweep(): Promise<void>;
}

const ROOT = 'games';
const IMPORT_LOCK = 'blindfold-import';

/** Folders of the origin private file system. */
export function opfsGameFolders(): GameFolders {
  const root = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, { create: true });
  return {
    async keys() {
      const keys: string[] = [];
      for await (const key of (await root()).keys()) keys.push(key);
      return keys.sort();
    },
    reader: (key) => async (path) => {
      const file = await (await (await (await root()).getDirectoryHandle(key)).getFileHandle(path)).getFile();
      return new Uint8Array(await file.arrayBuffer());
    },
    async write(key, path, bytes) {
      const folder = await (await root()).getDirectoryHandle(key, { create: true });
      const stream = await (await folder.getFileHandle(path, { create: true })).createWritable();
      await stream.write(bytes as Uint8Array<ArrayBuffer>);
      await stream.close();
    },
    async remove(key) {
      await (await root()).removeEntry(key, { recursive: true });
    },
    importing: (work) => navigator.locks.request(IMPORT_LOCK, work),
    sweep: () =>
      navigator.locks.request(IMPORT_LOCK, { ifAvailable: true }, async (lock) => {
        if (lock === null) return;
        const folder = await root();
        for await (const [key, entry] of folder.entries()) {
          const whole = await (entry as FileSystemDirectoryHandle).getFileHandle(MANIFEST).then(
            () => true,
            () => false,
          );
          if (!whole) await folder.removeEntry(key, { recursive: true });
        }
      }),
  };
}

/** Folders in memory, for tests. */
export function memoryGameFolders(): GameFolders {
  const folders = new Map<string, Map<string, Uint8Array>>();
  return {
    keys: async () => [...folders.keys()].sort(),
    reader: (key) => async (path) => {
      const bytes = folders.get(key)?.get(path);
      if (!bytes) throw new Error(`there is no ${path}`);
      return bytes;
    },
    async write(key, path, bytes) {
      if (!folders.has(key)) folders.set(key, new Map());
      folders.get(key)!.set(path, bytes);
    },
    async remove(key) {
      folders.delete(key);
    },
    importing: (work) => work(),
    async sweep() {
      for (const [key, files] of folders) if (!files.has(MANIFEST)) folders.delete(key);
    },
  };
}
