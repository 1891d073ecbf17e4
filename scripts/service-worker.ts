/** The service worker of the build: src/ui/shell/service-worker.js with the headers and the files of this version. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';
import { workerHeaders } from './page-headers.ts';

const NAME = 'service-worker.js';
const template = new URL(`../src/ui/shell/${NAME}`, import.meta.url);

/** What the page never asks for: it is for the host, for people or for other programs. */
const NOT_ASKED = [
  /^_headers$/,
  /^service-worker\.js$/,
  /README\.md$/,
  /^checkpoints\/.*\/(generation_config|special_tokens_map|tokenizer|tokenizer_config)\.json$/,
];
/** Stored once used: the chess models but for the one for slow lines, and the client that reads ONNX exports back. */
const LATER = [/^checkpoints\/chess(-taught|-small)?\//, /^assets\/ort[.-]/];
const HASHED = /^(assets|lab-[a-z]+)\//;

interface StoredFile {
  /** Enough of the digest to tell versions apart, in hexadecimal. */
  sha256: string;
  bytes: number;
  hashed?: true;
  later?: true;
}

/** The files of a built folder that the page may ask for, by path from its root; the page itself is `/`. */
function storedFiles(folder: string): Record<string, StoredFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !NOT_ASKED.some((pattern) => pattern.test(name)))
    .sort();
  return Object.fromEntries(
    names.map((name) => {
      const content = readFileSync(join(folder, name));
      const file: StoredFile = {
        sha256: createHash('sha256').update(content).digest('hex').slice(0, 32),
        bytes: content.length,
        ...(HASHED.test(name) && { hashed: true as const }),
        ...(LATER.some((pattern) => pattern.test(name)) && { later: true as const }),
      };
      return [name === 'index.html' ? '/' : `/${name}`, file];
    }),
  );
}

/** Writes the service worker into a built folder, for the files that are there. */
export function writeServiceWorker(folder: string): void {
  const source = readFileSync(template, 'utf8');
  const files = storedFiles(folder);
  const headersByPattern = workerHeaders();
  const version = createHash('sha256')
    .update(source + JSON.stringify([files, headersByPattern]))
    .digest('hex')
    .slice(0, 16);
  const build = JSON.stringify({ version, headersByPattern, files }, null, 1);
  writeFileSync(
    join(folder, NAME),
    source.replace('__BUILD__', () => build),
  );
}

/** Writes it once all other files of the build are there. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    writeBundle: { order: 'post', handler: ({ dir }) => writeServiceWorker(dir!) },
  };
}
