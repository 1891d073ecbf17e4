import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { sampleCheckpoint, tinyGpt2 } from '../../fixtures/sample-run.ts';
import { givenGames, randomGames } from '../../fixtures/given-games.ts';
import { watchedEngines } from '../../fixtures/worker-hosts.ts';
import { presets } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { MemoryStore } from '../../src/training/memory-store.ts';
import { saveCheckpoint } from '../../src/training/checkpoint-store.ts';
import { encodeCheckpoint } from '../../src/training/checkpoint.ts';
import { saveSnapshot } from '../../src/training/snapshot-store.ts';
import { initialParameters } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { baseball } from '../../src/domains/baseball/baseball.ts';
import { nextTokens } from '../../src/domains/baseball/next-tokens.ts';
import { BaseballState } from '../../src/domains/baseball/state.ts';
import { QUESTIONS } from '../../src/studies/splat/questions/questions.ts';
import { analyseHandlers } from './handlers.ts';
import type { WeightsSnapshot } from './protocol.ts';

const corpora = {
  train: randomGames(20, 'train', 30),
  dev: randomGames(3, 'dev', 30),
  probe: randomGames(60, 'probe', 30),
};
const config: RunConfig = {
  ...presets[0].config,
  model: tinyGpt2({ context: 128 }),
  evaluation: { every: 10, games: 3, instances: 5 },
};
const snapshot = (step: number): WeightsSnapshot => ({
  step,
  parameters: initialParameters(modelOf(config, { size: 77, slots: null }), seededRandom('analyse', step)),
});

const silent = (): void => undefined;

/** Handlers on the CPU, with every engine they made; `broken` makes the next one fail. */
function analyser() {
  const { createEngine, ...engines } = watchedEngines();
  const device = { broken: false };
  const checkpoints = new MemoryStore();
  const service = analyseHandlers({
    games: givenGames((key) => (key === 'innings' ? { domain: 'baseball', ...innings } : corpora)),
    clock: () => 0,
    checkpoints,
    async createEngine(model, parameters) {
      if (device.broken) throw new Error('no device');
      return createEngine(model, parameters);
    },
  });
  return { service, ...engines, device, checkpoints };
}

test('prompts are answered by the newest weights, on one engine however many are asked at once', async () => {
  const { service, engines } = analyser();
  expect(await service.ask('e2e4 e7')).toEqual({ ok: true, value: null });
  unwrap(await service.prepare(config, silent));
  expect(await service.ask('e2e4 e7')).toEqual({ ok: true, value: null });
  await service.update(snapshot(1));
  const answers = await Promise.all([service.ask('e2e4 e7'), service.ask('e2e4 N')]);
  expect(answers.map((answer) => unwrap(answer)?.step)).toEqual([1, 1]);
  await service.update(snapshot(2));
  expect(unwrap(await service.ask('e2e4 e7'))?.step).toBe(2);
  expect(engines).toHaveLength(1);
  expect(await service.ask('e2e4 e2e4')).toMatchObject({ ok: false, error: { code: 'illegal-move' } });
  expect(await service.ask('g1f3 g8f6 f3g1 f6g8 '.repeat(20))).toMatchObject({ error: { code: 'prompt-too-long' } });
});

test('a device that failed is tried again at the next question', async () => {
  const { service, device } = analyser();
  unwrap(await service.prepare(config, silent));
  await service.update(snapshot(1));
  device.broken = true;
  expect(await service.ask('e2e4 e7')).toMatchObject({ ok: false, error: { message: 'no device' } });
  device.broken = false;
  expect(unwrap(await service.ask('e2e4 e7'))?.step).toBe(1);
});

test('a question whose device is lost is asked again on another, and told where that is lost too', async () => {
  const { service, engines } = analyser();
  unwrap(await service.prepare(config, silent));
  await service.update(snapshot(1));
  const before = unwrap(await service.ask('e2e4 e7'));
  const lose = (engine: Engine) => {
    engine.leafLogits = () => Promise.reject(Object.assign(new Error('gone'), { name: 'DeviceLostError' }));
  };
  lose(engines[0]);
  // Two questions that lose it together open one device, not two.
  const both = await Promise.all([service.ask('e2e4 e7'), service.ask('e2e4 e7')]);
  for (const answer of both) expect(unwrap(answer)).toEqual(before);
  expect(engines).toHaveLength(2);
  lose(engines[1]);
  const push = engines.push.bind(engines);
  engines.push = (engine: Engine) => {
    lose(engine);
    return push(engine);
  };
  expect(await service.ask('e2e4 e7')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('gone') },
  });
});

test('a run that another replaces gives up its work, and its engines are put away', async () => {
  const { service, engines, disposed } = analyser();
  unwrap(await service.prepare(config, silent));
  await service.update(snapshot(1));
  let plies = 0;
  let replacing: Promise<unknown> | null = null;
  const game = service.selfPlay(1, () => {
    if (++plies === 2) replacing = service.prepare(config, silent);
  });
  expect(unwrap(await game)).toBeNull();
  await replacing;
  expect(disposed).toEqual(new Set(engines));
  expect(await service.ask('e2e4 e7')).toEqual({ ok: true, value: null });
});

test('the scores of a snapshot are of its step and its instances', async () => {
  const { service } = analyser();
  expect(await service.evaluate(snapshot(1))).toMatchObject({ error: { code: 'not-prepared' } });
  const {
    panels: [panel],
  } = unwrap(await service.prepare(config, silent));
  expect(panel.study).toBe('testbed');
  const scores = unwrap(await service.evaluate(snapshot(4)));
  expect(scores.step).toBe(4);
  const { n } = scores.scores.testbed['end-legal-short'];
  expect(panel.views[0].note).toContain(`in ${n} positions`);
  expect(scores.devPerplexity).toBeGreaterThan(1);
});

/** The model that comes with the lab, as the page fetches it. */
function shippedFiles(): Map<string, Uint8Array> {
  const names = ['model.safetensors', 'config.json', 'blindfold.json', 'training-record.json'];
  const folder = new URL('../../public/checkpoints/chess/', import.meta.url);
  return new Map(names.map((name) => [name, new Uint8Array(readFileSync(new URL(name, folder)))]));
}

const edited = (file: Uint8Array, from: string, to: string) =>
  new TextEncoder().encode(new TextDecoder().decode(file).replace(from, to));

test('the shipped model answers without a run, knows the rules fairly, and plays itself', async () => {
  const { service } = analyser();
  const files = shippedFiles();
  expect([...files.values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(5e6);
  const { training } = unwrap(await service.open(files));
  const answer = unwrap(await service.ask('e2e4 e7e5 g1f3 b8c6 f1'))!;
  expect(answer.step).toBe(training.steps);
  // Half of all squares' probability on the five a bishop can reach is far from chance, 5 / 77.
  expect(answer.legalMass).toBeGreaterThan(0.5);
  let plies = 0;
  const game = service.selfPlay(1, () => {
    // A run that begins ends the game, so that the test need not wait for it.
    if (++plies === 3) void service.prepare(config, silent);
  });
  expect(unwrap(await game)).toBeNull();
  expect(plies).toBeGreaterThanOrEqual(3);
});

test('a run takes the place of the shipped model and gives it back; its last weights come too late', async () => {
  const { service, engines, disposed } = analyser();
  const { training } = unwrap(await service.open(shippedFiles()));
  expect(unwrap(await service.ask('e2e4 e7'))?.step).toBe(training.steps);
  unwrap(await service.prepare(config, silent));
  expect(disposed).toEqual(new Set(engines));
  expect(unwrap(await service.ask('e2e4 e7'))).toBeNull();
  await service.update(snapshot(1));
  expect(unwrap(await service.ask('e2e4 e7'))?.step).toBe(1);
  unwrap(await service.open(shippedFiles()));
  await service.update(snapshot(2));
  expect(unwrap(await service.ask('e2e4 e7'))?.step).toBe(training.steps);
  expect(await service.evaluate(snapshot(3))).toMatchObject({ error: { code: 'not-prepared' } });
});

test('a run that is prepared while a model is being opened keeps its place', async () => {
  const { service } = analyser();
  const opening = service.open(shippedFiles());
  const prepared = service.prepare(config, silent);
  expect(await opening).toMatchObject({ error: { code: 'replaced' } });
  unwrap(await prepared);
  await service.update(snapshot(5));
  expect(unwrap(await service.ask('e2e4 e7'))?.step).toBe(5);
});

test.each<[string, (files: Map<string, Uint8Array>) => void, string]>([
  ['without weights', (files) => files.delete('model.safetensors'), 'file-missing'],
  ['without a record', (files) => files.delete('training-record.json'), 'file-missing'],
  ['without a config', (files) => files.delete('config.json'), 'no-config'],
  [
    'cut short',
    (files) => files.set('model.safetensors', files.get('model.safetensors')!.subarray(0, 1e6)),
    'safetensors-truncated',
  ],
  ['with one weight changed', (files) => (files.get('model.safetensors')![1_000_000] ^= 1), 'weights-changed'],
  [
    'with a page in place of its record',
    (files) => files.set('training-record.json', new TextEncoder().encode('<!doctype html>')),
    'training-record-invalid',
  ],
  [
    'with a record of another form',
    (files) =>
      files.set('training-record.json', edited(files.get('training-record.json')!, '"threads": ', '"threads": -')),
    'training-record-invalid',
  ],
])('a shipped model %s is refused, and the one before goes on', async (_, damage, code) => {
  const { service } = analyser();
  unwrap(await service.prepare(config, silent));
  await service.update(snapshot(1));
  const files = shippedFiles();
  damage(files);
  expect(await service.open(files)).toMatchObject({ ok: false, error: { code } });
  expect(unwrap(await service.ask('e2e4 e7'))?.step).toBe(1);
});

const inningsOf = (key: string, games: number) =>
  Corpus.from([...baseball.invented!.games(games, key.length)].map((trace) => trace.slice(0, 40)));
const baseballConfig: RunConfig = {
  ...config,
  domain: 'baseball',
  notation: 'splat',
  data: { ...config.data, games: 'innings' },
  questions: { from: null, perGame: 1, perLine: 1, goals: 'released', learn: 'line', own: [] },
};
const innings = { train: inningsOf('train', 8), dev: inningsOf('dev', 3), probe: inningsOf('probe', 12) };
const baseballSnapshot = (step: number): WeightsSnapshot => ({
  step,
  parameters: initialParameters(modelOf(baseballConfig, { size: 144, slots: null }), seededRandom('analyse', step)),
});
const LINE = '<sog> <newbatter> (id_100) <ball> <ball> <strike>';

test('a model of baseball is asked about a game, and not about chess', async () => {
  const { service, engines } = analyser();
  expect(await service.askTrace('baseball', LINE)).toEqual({ ok: true, value: null });
  unwrap(await service.prepare(baseballConfig, silent));
  await service.update(baseballSnapshot(1));
  const answer = unwrap(await service.askTrace('baseball', LINE))!;
  expect(answer.line).toBe(LINE);
  // What is legal is decided here by the grammar, walked on its own.
  const state = new BaseballState();
  for (const event of unwrap(baseball.traces.parse(LINE))) state.play(event);
  const legal = new Set(unwrap(nextTokens(state)).map((id) => QUESTIONS.baseball.vocabulary.tokens[id]));
  for (const next of answer.next) expect(next.legal).toBe(legal.has(next.token));
  const truths = Object.fromEntries(answer.belief!.map(({ variable, truth }) => [variable, truth]));
  expect(truths).toMatchObject({ inning: '1', outs: '0', balls: '2', strikes: '1', plate: '(id_100)', first: '___' });
  expect(await service.askTrace('chess', 'e2e4')).toEqual({ ok: true, value: null });
  expect(await service.ask('e2e4 e7')).toEqual({ ok: true, value: null });
  expect(await service.selfPlay(1, () => undefined)).toEqual({ ok: true, value: null });
  expect(await service.askTrace('baseball', '<sog> <ball>')).toMatchObject({ error: { code: 'illegal-verb' } });
  const long = `${LINE}${' <foul>'.repeat(130)}`;
  expect(await service.askTrace('baseball', long)).toMatchObject({ error: { code: 'too-long' } });
  expect(unwrap(await service.askTrace('baseball', ''))?.line).toBe('');
  expect(engines).toHaveLength(1);
});

test('a model of the testbed is asked no traces, and one that only reads games has no beliefs', async () => {
  const { service } = analyser();
  unwrap(await service.prepare(config, silent));
  await service.update(snapshot(1));
  expect(await service.askTrace('chess', 'e2e4')).toEqual({ ok: true, value: null });
  unwrap(await service.prepare({ ...baseballConfig, questions: null }, silent));
  await service.update(baseballSnapshot(1));
  expect(unwrap(await service.askTrace('baseball', LINE))!.belief).toBeNull();
});

test('a model goes on with a game until it breaks a rule, the same way each time', async () => {
  const { service } = analyser();
  unwrap(await service.prepare(baseballConfig, silent));
  await service.update(baseballSnapshot(1));
  const options = { events: 30, seed: 1, temperature: 1 };
  const events: string[] = [];
  const written = unwrap(await service.continueTrace('baseball', LINE, options, ({ text }) => events.push(text)))!;
  expect(events).toEqual(written.events.map(({ text }) => text));
  // Of 144 tokens of an untrained model hardly any is legal, so it breaks a rule soon.
  const last = written.events.at(-1)!;
  expect(last).toMatchObject({ legal: false, why: expect.any(String) as string });
  expect(written.events.slice(0, -1).every(({ legal }) => legal)).toBe(true);
  const kept = [LINE, ...events.slice(0, -1)].join(' ');
  expect(baseball.traces.parse(kept).ok).toBe(true);
  expect(unwrap(await service.continueTrace('baseball', LINE, options, () => undefined))).toEqual(written);
});

test('a question about an earlier step is answered by what the run knew then, while the newest weights go on', async () => {
  const { service, checkpoints, engines } = analyser();
  const at = { run: 'r', step: 1 };
  unwrap(await service.prepare(config, silent));
  await service.update(snapshot(1));
  const then = unwrap(await service.ask('e2e4 e7'))!;
  unwrap(await saveSnapshot(checkpoints, 'r', 1, snapshot(1).parameters));
  await service.update(snapshot(2));
  const [now, past, again] = await Promise.all([
    service.ask('e2e4 e7'),
    service.ask('e2e4 e7', at),
    service.ask('e2e4 e7'),
  ]).then((answers) => answers.map((answer) => unwrap(answer)!));
  expect([now.step, past.step]).toEqual([2, 1]);
  const difference = (a: Float32Array, b: Float32Array): number => Math.max(...a.map((p, i) => Math.abs(p - b[i])));
  // Half precision moves a probability by next to nothing; another step moves it by more.
  expect(difference(past.squares, then.squares)).toBeLessThan(1e-4);
  expect(difference(past.squares, now.squares)).toBeGreaterThan(1e-3);
  expect(again.squares).toEqual(now.squares);
  expect(engines).toHaveLength(2);

  unwrap(await saveSnapshot(checkpoints, 'r', 2, snapshot(2).parameters));
  const at2 = { run: 'r', step: 2 };
  const mixed = await Promise.all([at, at2, at, at2].map((step) => service.ask('e2e4 e7', step)));
  const of = (answer: (typeof mixed)[number]): Float32Array => unwrap(answer)!.squares;
  for (const one of [0, 2]) expect(of(mixed[one])).toEqual(past.squares);
  for (const one of [1, 3]) expect(difference(of(mixed[one]), now.squares)).toBeLessThan(1e-4);

  const game = unwrap(await service.selfPlay(1, silent, at))!;
  expect(game.step).toBe(1);
  expect(unwrap(await service.selfPlay(1, silent, at))).toEqual(game);

  expect(await service.ask('e2e4 e7', { run: 'r', step: 9 })).toMatchObject({ error: { code: 'no-snapshot' } });
  const wider = initialParameters(
    modelOf({ ...config, model: { ...config.model, width: 32 } }, { size: 77, slots: null }),
    seededRandom('w'),
  );
  unwrap(await saveSnapshot(checkpoints, 'wider', 1, wider));
  expect(await service.ask('e2e4 e7', { run: 'wider', step: 1 })).toMatchObject({ error: { code: 'other-model' } });
});

test('a game that is asked for ends the one before', async () => {
  const { service } = analyser();
  unwrap(await service.prepare(config, silent));
  await service.update(snapshot(1));
  const [first, second] = await Promise.all([service.selfPlay(1, silent), service.selfPlay(2, silent)]);
  expect(unwrap(first)).toBeNull();
  expect(unwrap(second)?.plies.length).toBeGreaterThan(0);
});

test('a stored run answers with its newest checkpoint', async () => {
  const { service, checkpoints } = analyser();
  expect(await service.openRun('r')).toMatchObject({ error: { code: 'no-checkpoint' } });
  const checkpoint = sampleCheckpoint(5);
  unwrap(await saveCheckpoint(checkpoints, 'r', 5, encodeCheckpoint(checkpoint)));
  unwrap(await service.openRun('r'));
  expect(unwrap(await service.ask('e2e4 e7'))?.step).toBe(5);
});
