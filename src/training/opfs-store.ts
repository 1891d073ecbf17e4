import type { RunStore } from './checkpoint-store.ts';

/**
 * Checkpoints in the browser's origin private file system: runs/RUN/NAME. IndexedDB was rejected: it keeps a copy of
 * each value in its log until compaction, and a checkpoint can be a gigabyte.
 */
export function opfsStore(): RunStore {
  return {
    async runs() {
      const ids: string[] = [];
      for await (const [id, entry] of (await runsFolder()).entries()) if (entry.kind === 'directory') ids.push(id);
      return ids;
    },
    async list(runId) {
      const names: string[] = [];
      const folder = await folderOf(runId, false);
      if (folder) for await (const name of folder.keys()) names.push(name);
      return names;
    },
    async read(runId, name) {
      const folder = await folderOf(runId, true);
      const file = await (await folder!.getFileHandle(name)).getFile();
      return new Uint8Array(await file.arrayBuffer());
    },
    async write(runId, name, bytes) {
      const folder = await folderOf(runId, true);
      const handle = await folder!.getFileHandle(name, { create: true });
      if ('createWritable' in handle) await writeAtOnce(handle, bytes);
      else await writeInPlace(handle as FileSystemFileHandle, bytes);
    },
    async remove(runId, name) {
      const folder = await folderOf(runId, false);
      await folder?.removeEntry(name).catch(ignoreMissing);
      if (!folder) return;
      for await (const _ of folder.keys()) return;
      await (await runsFolder()).removeEntry(runId).catch(ignoreMissing);
    },
  };
}

async function runsFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle('runs', { create: true });
}

async function folderOf(runId: string, create: boolean): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await (await runsFolder()).getDirectoryHandle(runId, { create });
  } catch (error) {
    ignoreMissing(error);
    return null;
  }
}

/** Takes the old file's place only at close, so that a closed tab leaves the old one whole. */
async function writeAtOnce(handle: FileSystemFileHandle, bytes: Uint8Array): Promise<void> {
  const stream = await handle.createWritable();
  try {
    await stream.write(bytes as Uint8Array<ArrayBuffer>);
    await stream.close();
  } catch (error) {
    await stream.abort().catch(() => {});
    throw error;
  }
}

/** Safari before 26 has only this, and only in workers. A cut here is found by the reader, which takes the older file. */
async function writeInPlace(handle: FileSystemFileHandle, bytes: Uint8Array): Promise<void> {
  const access = await handle.createSyncAccessHandle();
  try {
    access.truncate(0);
    const written = access.write(bytes as Uint8Array<ArrayBuffer>, { at: 0 });
    access.flush();
    if (written !== bytes.length)
      throw new DOMException(`only ${written} of ${bytes.length} bytes fitted`, 'QuotaExceededError');
  } finally {
    access.close();
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
}
