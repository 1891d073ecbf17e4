import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { answer } from './run-side.ts';
import type { Side } from './side.ts';

const instant: Side = {
  threads: 1,
  device: 'none',
  runAhead: 0,
  prepare: async () => {},
  step: async () => 1,
  measurePeak: async () => null,
  dispose: async () => {},
};

it('a turn ends when the last update is done, not when its loss is there', async () => {
  const { milliseconds } = (await answer({ ...instant, settle: () => sleep(50) }, { do: 'steps', count: 2 })) as {
    milliseconds: number;
  };
  expect(milliseconds).toBeGreaterThan(40);
  expect(milliseconds).toBeLessThan(1000);
});

it('as many losses as steps come back, in order, with steps begun ahead', async () => {
  let taken = 0;
  const { losses } = (await answer(
    { ...instant, runAhead: 2, step: async () => taken++ },
    { do: 'steps', count: 5 },
  )) as { losses: number[] };
  expect(losses).toEqual([0, 1, 2, 3, 4]);
});
