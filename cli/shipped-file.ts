import { readFile } from 'node:fs/promises';

/** Reads a file that ships with the lab, by its path in public. Rejects where there is none. */
export function readShipped(path: string): Promise<string> {
  return readFile(new URL(`../public/${path}`, import.meta.url), 'utf8');
}
