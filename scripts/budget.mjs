/** Fails where the page needs more than 300 KB of compressed JavaScript before the engine's worker is needed. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 300 * 1024;
const html = readFileSync('dist/index.html', 'utf8');
const first = [...html.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/g)].map((match) => match[1]);
// Static imports of the entry count too; workers are loaded later and do not.
const all = new Set(first);
for (const path of all)
  for (const match of readFileSync(`dist/${path}`, 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
    all.add(`assets/${match[1]}`);
const bytes = [...all].reduce((sum, path) => sum + gzipSync(readFileSync(`dist/${path}`)).length, 0);
const workers = readdirSync('dist', { recursive: true }).filter((name) => /\.worker-[^/]*\.js$/.test(name));
console.log(
  `Page: ${(bytes / 1024).toFixed(0)} KB of compressed JavaScript in ${all.size} ${all.size === 1 ? 'file' : 'files'} (limit 300 KB); ${workers.length} workers load later.`,
);
if (bytes > LIMIT || all.size === 0) {
  console.error('The page is over its budget; load what is not needed at first from a worker or on demand.');
  process.exit(1);
}
