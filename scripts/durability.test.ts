import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A link to a test file and the names after it, to the end of the line or the next link. */
const CLAIM = /\[[\w.-]+\]\((\.\.\/[^)]+)\):((?:(?!\[)[^\n])*)/g;

it('docs/durability.md names tests that there are', () => {
  const text = readFileSync(new URL('../docs/durability.md', import.meta.url), 'utf8');
  const claims = [...text.matchAll(CLAIM)];
  expect(claims.length).toBeGreaterThan(20);
  for (const [, path, names] of claims) {
    const tests = readFileSync(new URL(`../docs/${path}`, import.meta.url), 'utf8');
    const quoted = [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    expect(quoted.length, path).toBeGreaterThan(0);
    for (const name of quoted) expect(tests, `${path}: ${name}`).toContain(name);
  }
});
