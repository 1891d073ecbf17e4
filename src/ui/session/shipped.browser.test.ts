import { afterEach, expect, it, vi } from 'vitest';
import type { Failure } from '../../base/result.ts';
import { ShippedModel } from './shipped.svelte.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['chess', 'shipped-small-taught', ['chess', 'chess-small-taught']],
  ['baseball', 'shipped', ['baseball']],
])('without a network %s falls back to %s, and says once that none answers', async (domain, last, folders) => {
  const fetched = new Set<string>();
  vi.stubGlobal('fetch', async (path: string) => {
    fetched.add(path.split('/')[1]);
    throw new TypeError('no network');
  });
  const reported: Failure[] = [];
  const model = new ShippedModel(
    () => Promise.reject(new Error('nothing was fetched')),
    (failure) => reported.push(failure),
  );
  await model.open(domain, 'shipped');
  expect([model.status, model.id, [...fetched]]).toEqual(['failed', last, folders]);
  expect(reported.map(({ code }) => code)).toEqual(['shipped-no-answer']);
});
