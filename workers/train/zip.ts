import { zipSync } from 'fflate';

/** One .zip of a folder's files; weights do not shrink, so they are stored as they are. */
export function zipped(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return zipSync(Object.fromEntries(files), { level: 0, mtime: new Date(1980, 0, 1) });
}
