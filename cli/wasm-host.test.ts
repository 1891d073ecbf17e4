import { afterEach, expect, test, vi } from 'vitest';
import { wasmHost } from './wasm-host.ts';

afterEach(() => void vi.unstubAllEnvs());

test('threads are those of BLINDFOLD_THREADS, and of all cores where it says no number', () => {
  const threadsOf = (wanted: string | undefined): number => {
    vi.stubEnv('BLINDFOLD_THREADS', wanted);
    return wasmHost().threads;
  };
  expect(threadsOf('3')).toBe(3);
  const usual = threadsOf(undefined);
  expect(usual).toBeGreaterThanOrEqual(1);
  expect(usual).toBeLessThanOrEqual(8);
  for (const wanted of ['', '0', '-2', '1.5', 'all']) expect(threadsOf(wanted)).toBe(usual);
});
