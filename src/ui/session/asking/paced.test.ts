import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paced } from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('shows the newest of many once in a while, the last at once, and nothing after it was dropped', () => {
  const shown: number[] = [];
  const view = paced<number>(100, (value) => shown.push(value));
  for (let value = 0; value < 10; value++) {
    view.soon(value);
    vi.advanceTimersByTime(30);
  }
  // At 100 ms the fourth was the newest, and after the next had begun to wait, at 220 ms, the eighth.
  expect(shown).toEqual([3, 7]);
  view.now(99);
  expect(shown).toEqual([3, 7, 99]);
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual([3, 7, 99]);
  view.soon(5);
  view.drop();
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual([3, 7, 99]);
  view.soon(6);
  vi.advanceTimersByTime(100);
  expect(shown).toEqual([3, 7, 99, 6]);
});
