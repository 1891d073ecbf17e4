import { afterEach, expect, test, vi } from 'vitest';
import { isPutAway, putAway, putAwayBefore } from './put-away.ts';

afterEach(() => vi.unstubAllGlobals());

test('what was put away stays so after a reload; the same run cut off again does not', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  const run = { id: 'run-1', updatedAt: 1000 };
  expect(isPutAway(putAwayBefore(), run)).toBe(false);
  putAway(putAwayBefore(), run);
  expect(isPutAway(putAwayBefore(), run)).toBe(true);
  expect(isPutAway(putAwayBefore(), { ...run, updatedAt: 2000 })).toBe(false);
  expect(isPutAway(putAwayBefore(), { ...run, id: 'run-2' })).toBe(false);
});

test('a browser that keeps nothing forgets it with the page', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: denied, setItem: denied });
  const run = { id: 'run-1', updatedAt: 1000 };
  expect(isPutAway(putAway(putAwayBefore(), run), run)).toBe(true);
});
