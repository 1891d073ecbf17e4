import { expect, test } from 'vitest';
import { trainHandlers, type TrainHost } from '../../../../workers/train/handlers.ts';
import type { TrainEvent } from '../../../../workers/train/protocol.ts';
import { memoryLocks } from '../../../../workers/train/run-locks.ts';
import { memoryRunList } from '../../../../workers/train/run-list.ts';
import { givenGames, randomGames } from '../../../../fixtures/given-games.ts';
import { sampleConfig } from '../../../../fixtures/sample-run.ts';
import { unwrap } from '../../../base/result.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { createEngine } from '../../../engine/runtimes/tfjs/create-engine.ts';
import { MemoryStore } from '../../../training/memory-store.ts';
import { Turns, type TurnTaker } from './turns.ts';

const status = (to: 'running' | 'paused' | 'finished' | 'stopped'): TrainEvent => ({
  ...{ kind: 'status', status: to, label: '', failure: null },
});
const progress = (step: number, steps = 10): TrainEvent => ({
  ...{ kind: 'progress', step, steps, firstStep: step, losses: new Float32Array(1), tokens: 0, tokensPerSecond: 1 },
  ...{ secondsLeft: null, learningRate: 1, gradientNorm: 1 },
});

/** Turns of two runs that only say what they are asked. */
function asked(length = 100) {
  const log: string[] = [];
  let now = 0;
  const taker = (name: string): TurnTaker => ({
    pause: () => log.push(`${name} pauses`),
    continue: () => log.push(`${name} continues`),
  });
  const turns = new Turns([taker('left'), taker('right')], () => now, length);
  const said = (): string[] => log.splice(0);
  return { turns, said, at: (time: number) => (now = time) };
}

test('whoever begins is paused, and then the one that is behind goes on until its turn is over', () => {
  const { turns, said, at } = asked();
  for (const side of [0, 1] as const) {
    turns.take(side, status('running'));
    turns.take(side, progress(side === 0 ? 2 : 1));
    turns.take(side, status('paused'));
  }
  expect(said()).toEqual(['left pauses', 'right pauses']);
  turns.begin();
  expect(said()).toEqual(['right continues']);
  turns.take(1, status('running'));
  at(50);
  turns.take(1, progress(2));
  expect(said()).toEqual([]);
  at(100);
  turns.take(1, progress(4));
  expect(said()).toEqual(['right pauses']);
  // A last step that was under way, and the checkpoint after it, which takes a while.
  at(110);
  turns.take(1, progress(5));
  at(500);
  turns.take(1, status('paused'));
  expect(said()).toEqual(['left continues']);
  expect([turns.seconds(0), turns.seconds(1)]).toEqual([0, 0.11]);
});

test('the one that is left trains without turns, and one that is lost leaves its turn to the other', () => {
  const { turns, said, at } = asked();
  for (const side of [0, 1] as const) turns.take(side, status('paused'));
  turns.begin();
  expect(said()).toEqual(['left continues']);
  turns.take(0, status('running'));
  turns.lose(0);
  expect(said()).toEqual(['right continues']);
  turns.take(1, status('running'));
  at(1000);
  turns.take(1, progress(9));
  expect(said()).toEqual([]);
  turns.take(1, status('finished'));
  expect([said(), turns.over]).toEqual([[], true]);
});

test('both rest while a person holds them', () => {
  const { turns, said } = asked();
  for (const side of [0, 1] as const) turns.take(side, status('paused'));
  turns.begin();
  turns.take(0, status('running'));
  said();
  turns.hold();
  expect(said()).toEqual(['left pauses']);
  turns.take(0, progress(3));
  turns.take(0, status('paused'));
  expect(said()).toEqual([]);
  turns.release();
  expect(said()).toEqual(['right continues']);
});

const games = randomGames(12, 'turns', 8);

/** A host with a thread of its own, as a worker has. */
function host(shared: Pick<TrainHost, 'checkpoints' | 'runs' | 'locks'>, id: string, clock: () => number): TrainHost {
  return {
    ...shared,
    games: givenGames(() => ({ name: 'The games', manifest: 'theirs', train: games })),
    device: async () => ({ backend: 'cpu', adapter: 'test', reason: 'A test.', available: [] }),
    createEngine: (device, model, parameters) => createEngine({ backend: device.backend, device, model, parameters }),
    threads: 1,
    clock,
    newId: () => id,
    pause: () => new Promise((resolve) => setTimeout(resolve)),
  };
}

/** The losses of two runs, and in which order their steps were taken: "0 0 1 1 1 0". */
async function trained(configs: readonly [RunConfig, RunConfig], inTurns: boolean) {
  let now = 0;
  const clock = (): number => (now += 20);
  const shared = { checkpoints: new MemoryStore(), runs: memoryRunList(), locks: memoryLocks() };
  const services = ['left', 'right'].map((id) => trainHandlers(host(shared, id, clock)));
  const takers = services.map((service): TurnTaker => ({
    pause: () => service.pause(),
    continue: () => service.continue(),
  }));
  const turns = new Turns([takers[0], takers[1]], clock, 500);
  const losses = configs.map(() => [] as number[]);
  const order: number[] = [];
  const ends: Promise<void>[] = [];
  for (const side of [0, 1] as const) {
    let ended = (): void => {};
    ends.push(new Promise((resolve) => (ended = resolve)));
    const begun = await services[side].start(configs[side], null, (event) => {
      if (inTurns) turns.take(side, event);
      if (event.kind === 'progress') {
        losses[side].push(...event.losses);
        order.push(...Array.from(event.losses, () => side));
      }
      if (event.kind === 'status' && event.status === 'finished') ended();
    });
    unwrap(begun);
    if (!inTurns) await ends[side];
  }
  if (inTurns) turns.begin();
  await Promise.all(ends);
  return { losses, order, turns };
}

test('two runs in turns have the losses that each has alone, and neither gets far ahead of the other', async () => {
  const config = (seed: number, steps: number): RunConfig => ({
    ...sampleConfig,
    ...{ seed, batch: 2, checkpointEvery: 1000 },
    schedule: { ...sampleConfig.schedule, steps },
  });
  const configs = [config(1, 30), config(2, 60)] as const;
  const alone = await trained(configs, false);
  const together = await trained(configs, true);
  expect(together.losses).toEqual(alone.losses);
  expect(together.losses.map((each) => each.length)).toEqual([30, 60]);
  expect(together.turns.over).toBe(true);
  const changes = together.order.filter((side, at) => at > 0 && side !== together.order[at - 1]).length;
  expect(changes).toBeGreaterThan(4);
  const taken = [0, 0];
  for (const side of together.order) {
    taken[side]++;
    expect(Math.abs(taken[0] / 30 - taken[1] / 60)).toBeLessThan(0.5);
  }
});
