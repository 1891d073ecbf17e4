import { expect, test } from 'vitest';
import { givenGames, type GivenSet } from '../../fixtures/given-games.ts';
import { tinyGpt2 } from '../../fixtures/sample-run.ts';
import { measureHost, storeCheckpoint } from '../../fixtures/worker-hosts.ts';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { presets } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { baseball } from '../../src/domains/baseball/baseball.ts';
import { simulateGames } from '../../src/domains/baseball/simulator/game.ts';
import { notationOf } from '../../src/domains/domains.ts';
import { initialParameters } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import type { Progress } from '../../src/studies/asking/measuring.ts';
import { boardMap } from '../../src/studies/board-map/study.ts';
import { stateMap } from '../../src/studies/splat/state-map-study.ts';
import { splat, type SplatSettings } from '../../src/studies/splat/study.ts';
import type { RunRecord } from '../train/protocol.ts';
import { measureHandlers } from './handlers.ts';
import { runStudy } from './protocol.ts';

const OWN = { name: 'two out', indicator: 'Q9', expression: 'outs = 2' };

const base: RunConfig = {
  ...presets[0].config,
  domain: 'baseball',
  notation: 'splat',
  questions: null,
  model: tinyGpt2({ context: 160 }),
  schedule: { ...presets[0].config.schedule, steps: 6 },
  batch: 4,
};
const asking = { from: null, perGame: 1, perLine: 1, goals: 'released' as const, learn: 'line' as const, own: [] };
const configs: Record<string, RunConfig> = {
  reader: base,
  answerer: { ...base, questions: asking },
  chess: { ...base, domain: 'chess', notation: 'uci' },
};

const sets: Record<string, GivenSet> = {};
/** Makes a set of games, and gives its key. */
const games = (changes: GivenSet = {}): string => {
  sets['made-up games'] = {
    domain: 'baseball',
    train: Corpus.from(simulateGames(6, 1)),
    dev: Corpus.from(simulateGames(2, 2)),
    test: Corpus.from(simulateGames(4, 3)),
    probe: Corpus.from([]),
    ...changes,
  };
  return 'made-up games';
};
const asked = { questions: 3, perplexityGames: 1, seed: 4 };
const silent = (): void => undefined;

async function measurer(on: { pause?: () => void } = {}) {
  let now = 1000;
  const host = measureHost(
    givenGames((key) => sets[key]),
    { clock: () => (now += 150), newId: () => `id-${now}`, pause: async () => on.pause?.() },
  );
  const { assessments } = host;
  for (const [id, config] of Object.entries(configs)) {
    const { vocabulary } = unwrap(notationOf(config));
    const model = modelOf(config, { size: vocabulary.size, slots: null });
    const parameters = initialParameters(model, seededRandom('splat', id));
    await storeCheckpoint(host.checkpoints, id, { config, step: 6, tokensSeen: 100, model, parameters });
    await host.runs.put({ id, name: id, config, step: 6, createdAt: 1 } as RunRecord);
  }
  const service = measureHandlers(host);
  const open = async (id: string) => unwrap(await service.open({ kind: 'run', id }));
  const ask = (
    changes: Partial<SplatSettings> = {},
    among = games(),
    onProgress = silent as (told: Progress) => void,
  ) => runStudy(service, splat, { ...asked, ...changes }, among, onProgress);
  const states = (line: string, from: number, to: number) =>
    runStudy(service, stateMap, { line, from, to }, null, silent);
  return { service, assessments, open, ask, states };
}

test('a fine-tuned run is asked everything, and what it answered is kept until it is removed', async () => {
  const { service, open, ask } = await measurer();
  expect((await open('answerer')).fineTuning).toEqual({ start: 'random weights', base: null, goals: 'released' });
  const reported: Progress[] = [];
  const { answer, stored } = unwrap(await ask({}, games(), (progress) => reported.push(progress)));
  expect(stored).toMatchObject({ run: 'answerer', asked: { games: 'made-up games', questions: 3, seed: 4 } });
  expect(stored!.assessment).toEqual(answer);
  expect(answer.legalVerbs).toHaveLength(3);
  for (const form of ['assignment', 'winning', 'goal'])
    expect(answer.answers.filter((one) => one.form === form)).toHaveLength(3);
  expect(answer.answers.every(({ distance }) => distance !== null && distance <= 11)).toBe(true);
  expect(answer.fineTuningStates!.learned).toBe(24);
  expect(reported.at(-1)!.share).toBeCloseTo(1, 9);
  expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
  expect(await service.list('splat')).toEqual([stored]);
  // Distances to the questions of games that it never learned from would say nothing.
  const other = unwrap(await ask({}, games({ manifest: 'of other games', notice: 'By X.' })));
  expect(other.answer.distancesNeed).toBe(configs.answerer.data.games);
  expect(other.answer.fineTuningStates).toBeNull();
  expect(other.answer.answers.every(({ distance }) => distance === null)).toBe(true);
  expect([answer.notice, other.answer.notice]).toEqual([undefined, 'By X.']);
  expect(answer.distancesNeed).toBeUndefined();
  await service.remove('splat', other.stored!.id);
  await service.remove('splat', stored!.id);
  expect(await service.list('splat')).toEqual([]);
});

test('a run that reads games alone is asked what is legal and nothing else; one of squares is refused', async () => {
  const { service, open, ask, states } = await measurer();
  await open('reader');
  const { answer } = unwrap(await ask());
  expect(answer.answers).toEqual([]);
  expect(answer.legalVerbs).toHaveLength(3);
  expect(await ask({ own: [OWN] })).toMatchObject({
    error: { code: 'not-learned', message: expect.stringContaining('"two out"') as string },
  });
  expect(await states('<sog>', 0, 1)).toMatchObject({ error: { code: 'not-fine-tuned' } });
  // Boards are asked for with squares, which these tokens are not.
  expect(await runStudy(service, boardMap, { game: 'e2e4' }, null, silent)).toMatchObject({
    error: { code: 'does-not-apply', message: boardMap.refusal },
  });
  await open('chess');
  expect(await ask()).toMatchObject({ error: { code: 'does-not-apply', message: splat.refusal } });
  expect(await states('<sog>', 0, 1)).toMatchObject({ error: { code: 'does-not-apply' } });
});

test('a map of states tells the truth of the program after each event, beside what the model believes', async () => {
  const { open, states } = await measurer();
  await open('answerer');
  const line = '<sog> <newbatter> (id_100) <ball> <advance> (plate) (first) <atbat>';
  const { answer: map } = unwrap(await states(line, 1, 9));
  expect(map.domain).toBe('baseball');
  expect(map.events).toEqual(['<newbatter> (id_100)', '<ball>', '<advance> (plate) (first)', '<atbat>']);
  expect(map.variables).toEqual(baseball.variables.map(({ name }) => name));
  const of = (name: string): string[] => map.truth.map((state) => state[map.variables.indexOf(name)]);
  // By hand.
  expect(of('plate')).toEqual(['___', '(id_100)', '(id_100)', '___', '___']);
  expect(of('balls')).toEqual(['0', '0', '1', '1', '0']);
  expect(of('first')).toEqual(['___', '___', '___', '(id_100)', '(id_100)']);
  expect(map.truthProbability).toHaveLength(5 * 11);
  for (const [state, beliefs] of map.believed.entries())
    for (const [at, value] of beliefs.entries()) {
      expect(baseball.variables[at].values).toContain(value);
      // What is believed is likelier than the truth, unless it is the truth.
      const share = map.truthProbability[state * 11 + at];
      if (value !== map.truth[state][at]) expect(share).toBeLessThanOrEqual(0.5);
      else expect(share).toBeGreaterThan(1 / baseball.variables[at].values.length / 2);
    }
  expect(await states(line, 6, 9)).toMatchObject({ error: { code: 'bad-range' } });
  expect(await states('<ball>', 0, 1)).toMatchObject({ ok: false });
  const long = baseball.traces.format([...simulateGames(1, 9)][0]);
  expect(await states(long, 0, 1000)).toMatchObject({
    error: { code: 'too-long' },
  });
});

test('a cancelled one is not kept; one that cannot be kept is given all the same', async () => {
  let pauses = 0;
  const on: { pause?: () => void } = {};
  const { service, assessments, open, ask } = await measurer(on);
  await open('answerer');
  on.pause = () => {
    if (++pauses === 4) void service.cancel();
  };
  expect(await ask()).toMatchObject({ error: { code: 'cancelled' } });
  expect(await service.list('splat')).toEqual([]);
  on.pause = undefined;
  assessments('splat').put = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const { answer, notStored } = unwrap(await ask({ distances: false }));
  expect(notStored?.message).toContain('storage is full');
  expect(answer.answers.every(({ distance }) => distance === null)).toBe(true);
  expect(answer.distancesNeed).toBeUndefined();
});
