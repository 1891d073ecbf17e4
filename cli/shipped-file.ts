import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const CHECKPOINTS = fileURLToPath(new URL('../public/checkpoints', import.meta.url));
const DATA = fileURLToPath(new URL('../public/data', import.meta.url));

/** Names of the models that ship with the lab. */
export function shippedModels(): string[] {
  return readdirSync(CHECKPOINTS).sort();
}

/** The path that was given, or the folder of the shipped model of this name where nothing lies at the path. */
export function modelPath(given: string): string {
  return !existsSync(given) && shippedModels().includes(given) ? `${CHECKPOINTS}/${given}` : given;
}

/** The path that was given, or the folder of the embedded games of this name where nothing lies at the path. */
export function gamesPath(given: string): string {
  return !existsSync(given) && readdirSync(DATA).includes(given) ? `${DATA}/${given}` : given;
}

/** Reads a file that ships with the lab, by its path in public. Rejects where there is none. */
export function readShipped(path: string): Promise<string> {
  return readFile(new URL(`../public/${path}`, import.meta.url), 'utf8');
}
