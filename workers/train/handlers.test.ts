import { expect, test } from 'vitest';
import { wasmHost } from '../../cli/wasm-host.ts';
import { givenGames, randomGames } from '../../fixtures/given-games.ts';
import { tinyGpt2 } from '../../fixtures/sample-run.ts';
import { trainHost } from '../../fixtures/worker-hosts.ts';
import { fail, ok, unwrap } from '../../src/base/result.ts';
import { presets } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createWasmEngine } from '../../src/engine/runtimes/wasm/engine.ts';
import { trainingFlopsPerToken } from '../../src/models/model.ts';
import { newestCheckpoint, newestStep } from '../../src/training/checkpoint-store.ts';
import { snapshotPlan } from '../../src/config/snapshot-plan.ts';
import { readSnapshot, storedSnapshots } from '../../src/training/snapshot-store.ts';
import { MemoryStore } from '../../src/training/memory-store.ts';
import type { AnalyseService, WeightsSnapshot } from '../analyse/protocol.ts';
import { serve } from '../wire.ts';
import { trainHandlers, type TrainHost } from './handlers.ts';
import type { RunStarted, TrainEvent, TrainService } from './protocol.ts';
import { memoryLocks } from './run-locks.ts';

const train = randomGames(30, 'handler games', 14);
const config: RunConfig = {
  ...presets[0].config,
  model: tinyGpt2({ context: 64 }),
  schedule: { ...presets[0].config.schedule, steps: 24, warmup: 0.1, floor: 0 },
  batch: 4,
  checkpointEvery: 5,
};

const host = (): TrainHost =>
  trainHost(
    givenGames(() => ({ name: 'The games', manifest: 'theirs', train })),
    (device, model, parameters) => createWasmEngine({ host: wasmHost(1), device, model, parameters }),
  );

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
  const run = follow((onEvent) => service.start(config, null, onEvent));
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
    (onEvent) => first.start(config, null, onEvent),
    (step) => (reached = step),
  );
  const { record } = unwrap(await interrupted.started);
  await died;

  const second = trainHandlers({
    ...shared,
    locks: memoryLocks(),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  expect((await second.runs()).runs.map(({ id, status, step }) => ({ id, status, step }))).toEqual([
    { id: record.id, status: 'interrupted', step: 10 },
  ]);
  const resumed = follow((onEvent) => second.resume(record.id, null, onEvent));
  const started: RunStarted = unwrap(await resumed.started);
  expect([...started.losses]).toEqual(whole.slice(0, 10));
  expect(await resumed.rest).toBe('finished');
  expect([...resumed.losses.keys()]).toEqual(Array.from({ length: 14 }, (_, i) => 11 + i));
  expect([...resumed.losses.values()]).toEqual(whole.slice(10));
});

test('a run whose checkpoints are gone does not begin again under the same name', async () => {
  const shared = host();
  const service = trainHandlers(shared);
  const run = follow((onEvent) => service.start(config, null, onEvent));
  const { record } = unwrap(await run.started);
  await run.rest;
  for (const name of await shared.checkpoints.list(record.id)) await shared.checkpoints.remove(record.id, name);
  expect(await service.runs()).toMatchObject({ runs: [{ id: record.id, status: 'lost' }] });
  expect(await service.resume(record.id, null, () => {})).toMatchObject({
    ok: false,
    error: { code: 'files-gone', message: expect.stringContaining('gone from this browser') },
  });
});

test('an engine is made ready for the largest batch, and how far that is comes before its run', async () => {
  const asked: Parameters<TrainHost['createEngine']>[3][] = [];
  const one = host();
  const service = trainHandlers({
    ...one,
    createEngine(device, model, parameters, how) {
      asked.push(how);
      how.onProgress(1, 2);
      how.onProgress(2, 2);
      return one.createEngine(device, model, parameters, how);
    },
  });
  const run = follow((onEvent) => service.start(config, null, onEvent));
  await run.rest;
  expect(asked).toMatchObject([{ precision: 'full', training: { muon: config.optimizer.kind === 'muon' } }]);
  // Four games of 14 plies: two tokens a ply, and some names of pieces.
  expect(asked[0].training.tokens).toBeGreaterThan(4 * 28);
  expect(asked[0].training.tokens).toBeLessThan(4 * 44);
  expect(run.events.slice(0, 2)).toEqual([
    { kind: 'compiling', done: 1, total: 2 },
    { kind: 'compiling', done: 2, total: 2 },
  ]);
});

test('pause, one step, go on, stop; a stopped run can be resumed, exported and deleted', async () => {
  const service = trainHandlers(host());
  const paused: number[] = [];
  const run = follow((onEvent) => service.start(config, null, onEvent));
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

  unwrap(await service.remove(record.id));
  expect(await service.runs()).toEqual({ runs: [], damaged: [] });
  expect(await service.resume(record.id, null, () => {})).toMatchObject({
    ok: false,
    error: { code: 'no-run' },
  });
});

test('a run is named, noted and tagged while it trains, and keeps that to its end and after', async () => {
  const shared = host();
  const service = trainHandlers(shared);
  const run = follow((onEvent) => service.start(config, null, onEvent));
  const { record } = unwrap(await run.started);
  const { name } = record;
  const written = {
    name: '  The good \n one ',
    notes: ' wide\nand slow ',
    tags: [' a ', '', 'a', 'b  c', 'x'.repeat(99)],
  };
  const tidy = { name: 'The good one', notes: 'wide\nand slow', tags: ['a', 'b c', 'x'.repeat(32)] };
  expect(unwrap(await service.describe(record.id, written))).toEqual(tidy);
  expect(await run.rest).toBe('finished');
  expect((await service.runs()).runs).toMatchObject([{ ...tidy, status: 'finished' }]);
  // Opened again, it has them too.
  const again = follow((onEvent) => service.resume(record.id, null, onEvent));
  expect(unwrap(await again.started).record).toMatchObject(tidy);
  expect(await again.rest).toBe('finished');
  expect((await service.runs()).runs).toMatchObject([tidy]);

  const { losses, step, tokensSeen } = unwrap(await service.numbers(record.id));
  expect([...losses]).toEqual([...run.losses.values()]);
  expect([step, tokensSeen > 24]).toEqual([24, true]);
  expect((await service.runs()).runs[0].sketch).toMatchObject({ losses: [...losses], steps: [], scores: {} });
  expect(await service.numbers('never')).toMatchObject({ ok: false, error: { code: 'no-checkpoint' } });

  const long = { name: 'n'.repeat(200), notes: 'o'.repeat(9000), tags: Array.from({ length: 40 }, (_, i) => `t${i}`) };
  const cut = unwrap(await service.describe(record.id, long));
  expect([cut.name.length, cut.notes.length, cut.tags.length]).toEqual([80, 4000, 12]);
  const plain = unwrap(await service.describe(record.id, { name: ' ', notes: '', tags: [] }));
  expect(plain).toEqual({ name, notes: '', tags: [] });
  expect(await service.describe('never', written)).toMatchObject({ ok: false, error: { code: 'no-run' } });

  // Without its row, its checkpoint gives it the automatic name.
  unwrap(await service.describe(record.id, written));
  await shared.runs.remove(record.id);
  const [restored] = (await service.runs()).runs;
  expect(restored).toMatchObject({ name, restored: true });
  expect(restored.tags).toBeUndefined();
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
    (onEvent) => service.start(scoring, null, onEvent),
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
  const resumed = follow((onEvent) => service.resume('run-1', null, onEvent));
  expect(unwrap(await resumed.started).evaluations.map(({ step }) => step)).toEqual([0, 5]);
  expect(await resumed.rest).toBe('finished');
  expect(scored).toEqual([10, 15, 20, 24]);
  port1.close();
  port2.close();
});

test('a run ends at the first epoch that does not improve with the weights of the best, also where it was interrupted', async () => {
  const { port1, port2 } = new MessageChannel();
  const scored: number[] = [];
  // Thirty games in batches of four: eight steps an epoch. The second epoch is the best; scores between epochs say nothing.
  const scores = new Map([
    [8, 20],
    [16, 15.9],
    [24, 16.1],
  ]);
  const answering: WeightsSnapshot[] = [];
  serve<AnalyseService>(
    {
      ...lateAnalyser(scored, (step) => scores.get(step) ?? 1),
      update: async (snapshot) => void answering.push(snapshot),
    },
    port2,
  );
  const early: RunConfig = {
    ...config,
    schedule: { ...config.schedule, steps: 1, epochs: 10, patience: 1, keep: 'best' },
    evaluation: { ...config.evaluation, every: 5 },
  };
  const shared = host();
  const service = trainHandlers(shared);
  await service.connectAnalyser(port1);
  const run = follow((onEvent) => service.start(early, null, onEvent));
  const { record } = unwrap(await run.started);
  // What the config said of steps gave way to the epochs.
  expect(record.config.schedule).toMatchObject({ steps: 80, epochs: 10 });
  expect(await run.rest).toBe('finished');
  expect(run.losses.size).toBe(24);
  expect(scored).toEqual([0, 5, 8, 10, 15, 16, 20, 24]);
  const ending = 'dev perplexity rose from 15.9 to 16.1 in epoch 3; epoch 2 is kept';
  expect(run.events.at(-1)).toMatchObject({ kind: 'status', status: 'finished', ending });
  const [row] = (await service.runs()).runs;
  expect(row).toMatchObject({ status: 'finished', step: 24, ending, evaluation: { step: 16, devPerplexity: 15.9 } });
  const { checkpoint } = unwrap(await newestCheckpoint(shared.checkpoints, record.id))!;
  expect([checkpoint.step, checkpoint.kept]).toEqual([24, 16]);
  // It answers with the weights of the best epoch.
  const name = 'transformer.wte.weight';
  expect(answering.at(-1)!.step).toBe(16);
  expect(answering.at(-1)!.parameters.get(name)!.data).toEqual(checkpoint.parameters.get(name)!.data);

  // Stopped in its second epoch and resumed, it ends the same.
  const again = host();
  const other = trainHandlers(again);
  const ports = new MessageChannel();
  serve<AnalyseService>(
    lateAnalyser([], (step) => scores.get(step) ?? 1),
    ports.port2,
  );
  await other.connectAnalyser(ports.port1);
  const stopped = follow(
    (onEvent) => other.start(early, null, onEvent),
    (step) => {
      if (step === 11) void other.stop('run-1');
    },
  );
  unwrap(await stopped.started);
  expect(await stopped.rest).toBe('stopped');
  const resumed = follow((onEvent) => other.resume('run-1', null, onEvent));
  unwrap(await resumed.started);
  expect(await resumed.rest).toBe('finished');
  const files = async (store: MemoryStore) =>
    Buffer.from(await store.read('run-1', 'checkpoint-000000024.safetensors'));
  expect(
    Buffer.compare(await files(again.checkpoints as MemoryStore), await files(shared.checkpoints as MemoryStore)),
  ).toBe(0);

  // Opened once more, it has nothing left to train.
  const opened = follow((onEvent) => other.resume('run-1', null, onEvent));
  unwrap(await opened.started);
  expect(await opened.rest).toBe('finished');
  expect(opened.losses.size).toBe(0);
  expect(opened.events.at(-1)).toMatchObject({ ending });
  for (const port of [port1, port2, ports.port1, ports.port2]) port.close();
});

test('of two starts at once only one goes on, and a stop is for the run it names', async () => {
  const service = trainHandlers(host());
  const first = follow((onEvent) => service.start(config, null, onEvent));
  expect(await service.start(config, null, () => {})).toMatchObject({ error: { code: 'busy' } });
  unwrap(await first.started);
  await service.stop('another');
  expect(await first.rest).toBe('finished');
});

/** The host with each of its engines changed; `made` counts them from 1. */
function withEngines(change: (engine: Engine, made: number) => Partial<Engine>): TrainHost {
  const plain = host();
  let made = 0;
  return {
    ...plain,
    async createEngine(device, model, parameters, precision) {
      const engine = await plain.createEngine(device, model, parameters, precision);
      const changed = change(engine, ++made);
      return new Proxy(engine, {
        get(target, name) {
          const value: unknown = Reflect.get(name in changed ? changed : target, name);
          return typeof value === 'function' && !(name in changed) ? value.bind(target) : value;
        },
      });
    },
  };
}

class DeviceLostError extends Error {
  override readonly name = 'DeviceLostError';
}

/** Engines of which the first `lost` lose their device at their eighth step. */
function losing(lost: number): TrainHost {
  return withEngines((engine, made) => {
    let steps = 0;
    return {
      step: (batch, optimizer, seed) =>
        ++steps === 8 && made <= lost
          ? Promise.reject(new DeviceLostError('the device is gone'))
          : engine.step(batch, optimizer, seed),
    };
  });
}

test('a run whose device is lost goes on by itself from its checkpoint, with the losses of one that never stopped', async () => {
  const whole = await wholeRun();
  const shared = losing(2);
  const requested: unknown[] = [];
  const { device } = shared;
  shared.device = (wanted) => (requested.push(wanted), device(wanted));
  const service = trainHandlers(shared);
  const run = follow((onEvent) => service.start(config, 'cpu', onEvent));
  const { record } = unwrap(await run.started);
  expect(await run.rest).toBe('finished');
  expect([...run.losses.values()]).toEqual(whole);
  const recovered = run.events.flatMap((event) => (event.kind === 'recovered' ? [event.started] : []));
  // Lost at steps 8 and 13 (the second engine began at 5), with checkpoints at 5 and 10.
  expect(recovered.map(({ losses }) => losses.length)).toEqual([5, 10]);
  expect([...recovered[1].losses]).toEqual(whole.slice(0, 10));
  expect(recovered.every((started) => started.record.id === record.id)).toBe(true);
  expect(requested).toEqual(['cpu', 'cpu', 'cpu']);
  const notices = run.events.flatMap((event) => (event.kind === 'notice' ? [event.failure] : []));
  expect(notices.map(({ code }) => code)).toEqual(['device-recovered', 'device-recovered']);
  expect(notices[0].message).toContain('checkpoint at step 5');
});

test('a device that is lost again and again ends the run with a reason, and it can be resumed', async () => {
  const service = trainHandlers(losing(4));
  // Checkpoints beyond reach: every engine begins at the beginning and none gets past its eighth step.
  const rare = { ...config, checkpointEvery: 1000 };
  const run = follow((onEvent) => service.start(rare, null, onEvent));
  const { record } = unwrap(await run.started);
  expect(await run.rest).toBe('failed');
  expect(run.events.filter((event) => event.kind === 'recovered')).toHaveLength(3);
  const last = run.events.at(-1);
  expect(last).toMatchObject({ kind: 'status', failure: { code: 'device-lost' } });
  expect(last?.kind === 'status' && last.failure?.message).toMatch(/4 times within ten minutes/);
  const resumed = follow((onEvent) => service.resume(record.id, null, onEvent));
  unwrap(await resumed.started);
  expect(await resumed.rest).toBe('finished');
});

test('a stop while a lost device is being replaced is kept', async () => {
  const shared = losing(1);
  const service = trainHandlers(shared);
  const run = follow((onEvent) =>
    service.start(config, null, (event) => {
      onEvent(event);
      if (event.kind === 'status' && event.label.startsWith('The device was lost')) void service.stop('run-1');
    }),
  );
  unwrap(await run.started);
  expect(await run.rest).toBe('stopped');
  expect(Math.max(...run.losses.keys())).toBe(7);
});

test('the page hears how fast the model goes against the measured peak, and where the time went', async () => {
  let measured = 0;
  const shared = withEngines(() => ({
    measurePeak: async () => (measured++, 5e9),
    kernelTimes: async () => [{ name: 'linear', milliseconds: 3, calls: 2 }],
  }));
  const service = trainHandlers(shared);
  for (let i = 0; i < 2; i++) {
    const run = follow((onEvent) => service.start(config, null, onEvent));
    const { engine, peakFlops, record } = unwrap(await run.started);
    expect(engine).toEqual({ name: 'wasm', threads: 1 });
    expect(record.engine).toEqual(engine);
    expect(peakFlops).toBe(5e9);
    expect(await run.rest).toBe('finished');
    const speeds = run.events.flatMap((event) => (event.kind === 'speed' ? [event] : []));
    expect(speeds.length).toBeGreaterThan(0);
    expect(speeds[0].kernels).toEqual([{ name: 'linear', milliseconds: 3, calls: 2 }]);
    const progress = run.events.findLast((event) => event.kind === 'progress')!;
    // Games of 14 plies make rows of 28 to 40 tokens.
    const perToken = speeds.at(-1)!.modelFlops / (progress.kind === 'progress' ? progress.tokensPerSecond : 0);
    const model = { ...config.model, vocabulary: 77, slots: null } as Parameters<typeof trainingFlopsPerToken>[0];
    expect(perToken).toBeGreaterThan(0.7 * trainingFlopsPerToken(model, 28));
    expect(perToken).toBeLessThan(1.4 * trainingFlopsPerToken(model, 40));
  }
  expect(measured).toBe(1);
});

test('a trial says how fast the device trains, and a run that starts meanwhile waits for it', async () => {
  let time = 0;
  let engines = 0;
  const shared = withEngines(() => (engines++, {}));
  const service = trainHandlers({ ...shared, clock: () => (time += 50) });
  const trial = service.speed(config, 20, null);
  const run = follow((onEvent) => service.start(config, null, onEvent));
  const speed = unwrap(await trial);
  const model = { ...config.model, vocabulary: 77, slots: null } as Parameters<typeof trainingFlopsPerToken>[0];
  // By the clock of this test each step takes 50 milliseconds.
  expect(speed).toBeCloseTo((1000 / 50) * config.batch * 20 * trainingFlopsPerToken(model, 20), 3);
  unwrap(await run.started);
  expect(await service.speed(config, 20, null)).toMatchObject({ ok: false, error: { code: 'busy' } });
  expect(await run.rest).toBe('finished');
  expect(engines).toBe(2);
});

test('weights are sent with the step that they are of, steps under way included', async () => {
  const { port1, port2 } = new MessageChannel();
  const sent: { step: number; begun: number }[] = [];
  const update: AnalyseService['update'] = async ({ step, parameters }) => {
    sent.push({ step, begun: parameters.get('begun')!.data[0] });
  };
  serve<AnalyseService>({ ...lateAnalyser([]), update }, port2);
  const service = trainHandlers(
    withEngines((engine) => {
      let begun = 0;
      return {
        runAhead: 2,
        step: (batch, optimizer, seed) => (begun++, engine.step(batch, optimizer, seed)),
        parameters: async () => {
          const data = Float32Array.of(begun);
          return new Map([...(await engine.parameters()), ['begun', { shape: [1], data }]]);
        },
      };
    }),
  );
  await service.connectAnalyser(port1);
  const run = follow((onEvent) => service.start({ ...config, checkpointEvery: 1000 }, null, onEvent));
  unwrap(await run.started);
  expect(await run.rest).toBe('finished');
  expect(sent.length).toBeGreaterThan(3);
  for (const { step, begun } of sent) expect(step).toBe(begun);
  port1.close();
  port2.close();
});

/** Scores that take a while; only their step matters here. */
function lateAnalyser(scored: number[], perplexityOf: (step: number) => number = () => 1): AnalyseService {
  const never = () => Promise.reject(new Error('not asked here'));
  return {
    prepare: never,
    cancel: never,
    open: never,
    openRun: never,
    connect: never,
    ask: never,
    readGame: never,
    selfPlay: never,
    askTrace: never,
    continueTrace: never,
    update: async () => {},
    async evaluate({ step }) {
      await settle();
      scored.push(step);
      return ok({ step, devPerplexity: perplexityOf(step), scores: {} });
    },
  };
}

test('a full disk is told and does not end the run', async () => {
  const full = host();
  const write = full.checkpoints.write.bind(full.checkpoints);
  let writes = 0;
  full.checkpoints.write = (run, name, bytes) =>
    name.startsWith('checkpoint') && ++writes >= 2
      ? Promise.reject(new DOMException('no room', 'QuotaExceededError'))
      : write(run, name, bytes);
  const service = trainHandlers(full);
  const run = follow((onEvent) => service.start(config, null, onEvent));
  const { record } = unwrap(await run.started);
  expect(await run.rest).toBe('finished');
  expect(run.losses.size).toBe(24);
  expect(run.events.filter((event) => event.kind === 'notice').map((event) => event.failure.code)).toContain(
    'storage-full',
  );
  expect(await full.checkpoints.list(record.id)).toEqual(['checkpoint-000000005.safetensors']);
});

test('snapshots give way to a checkpoint for which there is no room', async () => {
  const full = host();
  const files = full.checkpoints as MemoryStore;
  const write = files.write.bind(files);
  files.write = async (run, name, bytes) => {
    // From the third on there is room for three checkpoints, and for no snapshots beside them.
    if (name.startsWith('checkpoint-000000015')) files.faults.quota = 3.5 * bytes.length;
    return write(run, name, bytes);
  };
  const service = trainHandlers(full);
  const run = follow((onEvent) => service.start(config, null, onEvent));
  const { record } = unwrap(await run.started);
  expect(await run.rest).toBe('finished');
  const codes = run.events.flatMap((event) => (event.kind === 'notice' ? event.failure.code : []));
  expect(codes).toContain('snapshots-cleared');
  expect(run.events.some(({ kind }) => kind === 'snapshots-cleared')).toBe(true);
  expect(await newestStep(files, record.id)).toBe(24);
  expect(await storedSnapshots(files, record.id)).toEqual([]);
});

test('what cannot be trained is refused with a reason', async () => {
  const service = trainHandlers(host());
  const nothing = () => {};
  expect(await service.start({ ...config, version: 2 as 1 }, null, nothing)).toMatchObject({
    error: { code: 'config-version' },
  });
  expect(await service.start({ ...config, batch: 0 }, null, nothing)).toMatchObject({
    error: { code: 'config-invalid' },
  });
  expect(await service.start({ ...config, domain: 'noughts', notation: 'splat' }, null, nothing)).toMatchObject({
    error: { code: 'other-game', message: 'The games holds other games than noughts; choose another set.' },
  });
  const model = { ...config.model, layers: 48, width: 2048 } as typeof config.model;
  expect(await service.start({ ...config, model }, null, nothing)).toMatchObject({
    error: { code: 'model-too-large' },
  });
  const none = trainHandlers({ ...host(), games: async () => fail('games-gone', 'Reading games stopped.') });
  expect(await none.start(config, null, nothing)).toMatchObject({ error: { code: 'games-gone' } });
});

test('a run remembers which games it was trained on, and resumes on no others', async () => {
  const shared = { ...host(), games: givenGames(() => ({ manifest: 'theirs', train })) };
  const run = follow((onEvent) => trainHandlers(shared).start(config, null, onEvent));
  const { record } = unwrap(await run.started);
  expect(record.config.data).toEqual({ games: config.data.games, manifest: 'theirs', limit: config.data.limit });
  expect(await run.rest).toBe('finished');
  const others = { ...shared, games: givenGames(() => ({ name: 'Mine', manifest: 'of others', train })) };
  expect(await trainHandlers(others).resume(record.id, null, () => {})).toMatchObject({
    error: { code: 'other-games', message: expect.stringMatching(/^Mine is no longer the set/) as string },
  });
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 120));

test('a run stores snapshots at the steps of its plan, and goes the same way; deleting it deletes them', async () => {
  const shared = host();
  const service = trainHandlers(shared);
  const run = follow((onEvent) => service.start(config, null, onEvent));
  const { record, snapshots } = unwrap(await run.started);
  expect(snapshots).toEqual([]);
  expect(await run.rest).toBe('finished');
  const planned = [...snapshotPlan(config, record.parameters).steps];
  expect(planned.length).toBeGreaterThan(8);
  expect(run.events.flatMap((event) => (event.kind === 'snapshot' ? event.step : []))).toEqual(planned);
  expect((await service.runs()).runs[0].snapshots).toEqual(planned);
  const [first, later] = await Promise.all([0, 10].map((step) => readSnapshot(shared.checkpoints, record.id, step)));
  const name = 'transformer.wte.weight';
  expect(unwrap(first).get(name)!.data).not.toEqual(unwrap(later).get(name)!.data);

  // Storage that is full is told once, and ends nothing.
  const small = host();
  const files = small.checkpoints as MemoryStore;
  const write = files.write.bind(files);
  files.write = (id, file, bytes) =>
    file.startsWith('snapshot-0')
      ? Promise.reject(new DOMException('full', 'QuotaExceededError'))
      : write(id, file, bytes);
  const full = follow((onEvent) => trainHandlers(small).start(config, null, onEvent));
  unwrap(await full.started);
  expect(await full.rest).toBe('finished');
  expect(full.events.flatMap((event) => (event.kind === 'notice' ? event.failure.code : []))).toEqual([
    'snapshots-full',
  ]);
  expect([...full.losses.values()]).toEqual([...run.losses.values()]);

  unwrap(await service.remove(record.id));
  expect(await shared.checkpoints.list(record.id)).toEqual([]);
});
