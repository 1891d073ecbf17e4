import { expect, test } from 'vitest';
import { unwrap } from '../../src/base/result.ts';
import { defaultPreset } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { parsePrompt } from '../../src/domains/chess/prompt.ts';
import type { Engine, EngineName } from '../../src/engine/engine.ts';
import { createEngine } from '../../src/engine/runtimes/tfjs/create-engine.ts';
import { raceHandlers, type RaceHost } from './handlers.ts';
import type { RaceEvent, RaceRound } from './protocol.ts';
import { raceCsv, summarise } from './summary.ts';

const moves = unwrap(parsePrompt('e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6')).moves;
const train = Corpus.from(Array.from({ length: 12 }, () => [...moves]));
const config: RunConfig = {
  ...defaultPreset.config,
  model: { ...defaultPreset.config.model, pattern: 'a', width: 16, heads: 2, context: 32 } as RunConfig['model'],
  batch: 2,
};

/** Two reference engines: one calls itself compiled and takes a second of a made-up clock a step, the other four. */
function host(order: string[] = [], compiledName: EngineName = 'wasm'): RaceHost {
  let now = 0;
  const side =
    (side: string, name: EngineName, milliseconds: number): RaceHost['compiled'] =>
    async (device, model, parameters) => {
      const engine = await createEngine({ backend: 'cpu', device, model, parameters });
      const step: Engine['step'] = (...batch) => {
        now += milliseconds;
        order.push(side);
        return engine.step(...batch);
      };
      return { ...methods(engine), name, step };
    };
  return {
    device: async () => ({ backend: 'wasm', adapter: 'test', reason: 'A test.', available: [] }),
    compiled: side('compiled', compiledName, 1000),
    stock: side('stock', 'tfjs', 4000),
    threads: 3,
    training: async () => false,
    clock: () => now,
    pause: async () => {},
  };
}

/** What a race asks of an engine, as an object of its own. */
function methods(engine: Engine): Engine {
  return Object.assign(Object.create(engine) as Engine, {
    device: engine.device,
    dispose: () => engine.dispose(),
  });
}

test('both train the same batches in turns, first steps apart, for as long as the box of time', async () => {
  const order: string[] = [];
  const events: RaceEvent[] = [];
  const rounds = unwrap(await raceHandlers(host(order)).race(config, train, null, (event) => events.push(event)));
  // Five seconds a round in a box of twenty.
  expect(rounds).toBe(4);
  expect(order.join(' ')).toBe('compiled stock compiled stock stock compiled compiled stock stock compiled');
  expect(events.find((event) => event.kind === 'started')).toMatchObject({
    started: { compiled: { name: 'wasm', threads: 3 }, stock: { name: 'tfjs', threads: 1 } },
  });
  const told = events.flatMap((event) => (event.kind === 'round' ? [event] : []));
  expect(told.map(({ share }) => share)).toEqual([0.25, 0.5, 0.75, 1]);
  const summary = summarise(told.map(({ round }) => round))!;
  expect(summary.ratio).toEqual({ median: 4, least: 4, most: 4 });
  expect(summary.compiled).toBeCloseTo(4 * summary.stock);
  // The same arithmetic on the same batches.
  expect(summary.lossDifference).toBe(0);
  expect(told[3].round.compiled.loss).toBeLessThan(told[0].round.compiled.loss);
});

test('a race is refused beside a run, on a device without a compiled engine, and for a config that is none', async () => {
  const { race } = raceHandlers({ ...host(), training: async () => true });
  expect(await race(config, train, null, () => {})).toMatchObject({ error: { code: 'run-going-on' } });
  const cpu = await host().device(null);
  const plain = raceHandlers({ ...host(), device: async () => ({ ...cpu, backend: 'cpu' }) });
  expect(await plain.race(config, train, null, () => {})).toMatchObject({ error: { code: 'nothing-to-race' } });
  expect(await raceHandlers(host([], 'tfjs')).race(config, train, null, () => {})).toMatchObject({
    error: { code: 'nothing-to-race' },
  });
  expect(await raceHandlers(host()).race({ ...config, batch: 0 }, train, null, () => {})).toMatchObject({
    error: { code: 'config-invalid' },
  });
});

test('a race is told by medians, ranges and the largest difference of losses', () => {
  const round = (tokens: number, ours: number, theirs: number, loss: number): RaceRound => ({
    tokens,
    compiled: { milliseconds: ours, loss },
    stock: { milliseconds: theirs, loss: 4 },
  });
  const rounds = [round(100, 10, 50, 4.004), round(100, 20, 60, 3.996), round(200, 10, 100, 4)];
  expect(summarise([])).toBeNull();
  expect(summarise(rounds)).toEqual({
    compiled: 10_000,
    stock: 2000,
    ratio: { median: 5, least: 3, most: 10 },
    lossDifference: expect.closeTo(0.001),
    losses: { compiled: 4, stock: 4 },
  });
  expect(raceCsv(rounds).split('\n')[1]).toBe('1,100,10,50,4.004,4');
});
