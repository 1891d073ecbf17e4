import { expect, test } from 'vitest';
import { ok, unwrap } from '../../src/base/result.ts';
import { seededRandom } from '../../src/base/random.ts';
import { presets } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { Position } from '../../src/domains/chess/position.ts';
import { createEngine } from '../../src/engine/tfjs/create-engine.ts';
import { readSafetensors } from '../../src/interchange/safetensors.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import { MemoryStore } from '../../src/training/memory-store.ts';
import type { CorpusBuffers } from '../data/protocol.ts';
import type { AnalyseService } from '../analyse/protocol.ts';
import { serve } from '../wire.ts';
import { trainHandlers, type TrainHost } from './handlers.ts';
import type { RunStarted, TrainEvent, TrainService } from './protocol.ts';
import { memoryLocks } from './run-locks.ts';
import { memoryRunList } from './run-list.ts';

/** Games of uniformly random legal moves. */
function randomGames(games: number, plies: number): CorpusBuffers {
  const random = seededRandom('handler games');
  return Corpus.from(
    Array.from({ length: games }, () => {
      const position = Position.initial();
      const moves: number[] = [];
      while (moves.length < plies) {
        const legal = position.legalMoves();
        if (legal.length === 0) break;
        moves.push(legal[random.below(legal.length)]);
        position.play(moves[moves.length - 1]);
      }
      return moves;
    }),
  );
}

const train = randomGames(30, 14);
const config: RunConfig = {
  ...presets[0].config,
  model: { kind: 'gpt2', layers: 1, width: 16, heads: 2, context: 64, dropout: 0 },
  schedule: { steps: 24, warmup: 0.1, floor: 0 },
  batch: 4,
  checkpointEvery: 5,
};

function host(): TrainHost {
  let ids = 0;
  let now = 1_000_000;
  return {
    device: async () => ({ backend: 'cpu', adapter: 'test', reason: 'A test.', available: [] }),
    createEngine: (device, model, parameters) => createEngine({ backend: device.backend, device, model, parameters }),
    checkpoints: new MemoryStore(),
    runs: memoryRunList(),
    locks: memoryLocks(),
    clock: () => (now += 50),
    newId: () => `run-${++ids}`,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

/** Starts or resumes, gathers losses, and resolves when the run has come to rest. */
function follow(
  begin: (onEvent: (event: TrainEvent) => void) => ReturnType<TrainService['start']>,
  onStep?: (step: number) => void,
) {
  const losses = new Map<number, number>();
  const events: TrainEvent[] = [];
  let atRest: (status: string) => void = () => {};
  const rest = new Promise<string>((resolve) => (atRest = resolve));
  const started = begin((event) => {
    events.push(event);
    if (event.kind === 'progress') {
      event.losses.forEach((loss, i) => losses.set(event.firstStep + i, loss));
      onStep?.(event.step);
    }
    if (event.kind === 'status' && ['finished', 'stopped', 'failed'].includes(event.status)) atRest(event.status);
  });
  return { losses, events, rest, started };
}

async function wholeRun(): Promise<number[]> {
  const service = trainHandlers(host());
  const run = follow((onEvent) => service.start(config, train, null, onEvent));
  unwrap(await run.started);
  expect(await run.rest).toBe('finished');
  return [...run.losses.values()];
}

test('a run whose worker is lost in mid-run and that is resumed elsewhere has the losses of one that never stopped', async () => {
  const whole = await wholeRun();
  expect(whole).toHaveLength(24);

  const shared = host();
  const first = trainHandlers(shared);
  let lost: () => void = () => {};
  const died = new Promise<void>((resolve) => (lost = resolve));
  // The first worker never gets beyond step 13: the thread is gone, with a checkpoint at step 10.
  shared.pause = () => new Promise((resolve) => (reached >= 13 ? lost() : setImmediate(resolve)));
  let reached = 0;
  const interrupted = follow(
    (onEvent) => first.start(config, train, null, onEvent),
    (step) => (reached = step),
  );
  const { record } = unwrap(await interrupted.started);
  await died;

  const second = trainHandlers({
    ...shared,
    locks: memoryLocks(),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  expect((await second.runs()).map(({ id, status, step }) => ({ id, status, step }))).toEqual([
    { id: record.id, status: 'interrupted', step: 10 },
  ]);
  const resumed = follow((onEvent) => second.resume(record.id, train, null, onEvent));
  const started: RunStarted = unwrap(await resumed.started);
  expect([...started.losses]).toEqual(whole.slice(0, 10));
  expect(await resumed.rest).toBe('finished');
  expect([...resumed.losses.keys()]).toEqual(Array.from({ length: 14 }, (_, i) => 11 + i));
  expect([...resumed.losses.values()]).toEqual(whole.slice(10));
});

test('pause, one step, go on, stop; a stopped run can be resumed, exported and deleted', async () => {
  const service = trainHandlers(host());
  const paused: number[] = [];
  const run = follow((onEvent) => service.start(config, train, null, onEvent));
  const { record } = unwrap(await run.started);
  await service.pause();
  await settle();
  paused.push(run.losses.size);
  await settle();
  paused.push(run.losses.size);
  await service.step();
  await settle();
  paused.push(run.losses.size);
  expect(paused[1]).toBe(paused[0]);
  expect(paused[2]).toBe(paused[0] + 1);
  expect(run.events.some((event) => event.kind === 'status' && event.status === 'paused')).toBe(true);
  await service.continue();
  await settle();
  expect(run.losses.size).toBeGreaterThan(paused[2]);
  await service.stop(record.id);
  expect(['stopped', 'finished']).toContain(await run.rest);

  const weights = unwrap(await service.export(record.id, 'safetensors'));
  expect(unwrap(readSafetensors(weights.bytes)).tensors.size).toBeGreaterThan(10);
  expect(unwrap(await service.export(record.id, 'huggingface')).name).toMatch(/\.zip$/);
  unwrap(await service.remove(record.id));
  expect(await service.runs()).toEqual([]);
  expect(await service.resume(record.id, train, null, () => {})).toMatchObject({
    ok: false,
    error: { code: 'no-run' },
  });
});

test('scores that come late are in the checkpoint of a stopped run, and those lost with a dead worker are found again', async () => {
  const { port1, port2 } = new MessageChannel();
  const scored: number[] = [];
  serve<AnalyseService>(lateAnalyser(scored), port2);
  const shared = host();
  const scoring = { ...config, evaluation: { ...config.evaluation, every: 5 } };
  const service = trainHandlers(shared);
  await service.connectAnalyser(port1);
  const run = follow(
    (onEvent) => service.start(scoring, train, null, onEvent),
    (step) => {
      if (step === 12) void service.stop('run-1');
    },
  );
  unwrap(await run.started);
  expect(await run.rest).toBe('stopped');
  const found = unwrap(await newestCheckpoint(shared.checkpoints, 'run-1'))!;
  expect(found.checkpoint.curve.evaluations.map(({ step }) => step)).toEqual([0, 5, 10]);

  // The newest checkpoint gone, the one of step 10 was written before its own scores came in.
  await shared.checkpoints.remove('run-1', found.name);
  scored.length = 0;
  const resumed = follow((onEvent) => service.resume('run-1', train, null, onEvent));
  expect(unwrap(await resumed.started).evaluations.map(({ step }) => step)).toEqual([0, 5]);
  expect(await resumed.rest).toBe('finished');
  expect(scored).toEqual([10, 15, 20, 24]);
  port1.close();
  port2.close();
});

test('of two starts at once only one goes on, and a stop is for the run it names', async () => {
  const service = trainHandlers(host());
  const first = follow((onEvent) => service.start(config, train, null, onEvent));
  expect(await service.start(config, train, null, () => {})).toMatchObject({ error: { code: 'busy' } });
  unwrap(await first.started);
  await service.stop('another');
  expect(await first.rest).toBe('finished');
});

/** Scores that take a while; only their step matters here. */
function lateAnalyser(scored: number[]): AnalyseService {
  const estimate = { mean: 0, n: 0, ci95: null };
  const range = { endActual: { exact: estimate, legal: estimate }, startActual: { exact: estimate, legal: estimate } };
  const never = () => Promise.reject(new Error('not asked here'));
  return {
    prepare: never,
    connect: never,
    ask: never,
    selfPlay: never,
    update: async () => {},
    async evaluate({ step }) {
      await settle();
      scored.push(step);
      return ok({ step, devPerplexity: 1, short: range, long: range });
    },
  };
}

test('a full disk is told and does not end the run', async () => {
  const full = host();
  const write = full.checkpoints.write.bind(full.checkpoints);
  let writes = 0;
  full.checkpoints.write = (run, name, bytes) =>
    ++writes >= 2 ? Promise.reject(new DOMException('no room', 'QuotaExceededError')) : write(run, name, bytes);
  const service = trainHandlers(full);
  const run = follow((onEvent) => service.start(config, train, null, onEvent));
  const { record } = unwrap(await run.started);
  expect(await run.rest).toBe('finished');
  expect(run.losses.size).toBe(24);
  expect(run.events.filter((event) => event.kind === 'notice').map((event) => event.failure.code)).toContain(
    'storage-full',
  );
  expect(await full.checkpoints.list(record.id)).toHaveLength(1);
});

test('what cannot be trained is refused with a reason', async () => {
  const service = trainHandlers(host());
  const nothing = () => {};
  expect(await service.start({ ...config, version: 2 as 1 }, train, null, nothing)).toMatchObject({
    error: { code: 'config-version' },
  });
  expect(await service.start({ ...config, batch: 0 }, train, null, nothing)).toMatchObject({
    error: { code: 'config-invalid' },
  });
  const empty = { moves: new Uint16Array(0), offsets: new Uint32Array(1) };
  expect(await service.start(config, empty, null, nothing)).toMatchObject({ error: { code: 'no-games' } });
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 120));
