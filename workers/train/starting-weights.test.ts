import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unwrap } from '../../src/base/result.ts';
import { givenGames } from '../../fixtures/given-games.ts';
import { tinyGpt2 } from '../../fixtures/sample-run.ts';
import { finishedRun, trainHost } from '../../fixtures/worker-hosts.ts';
import { presets } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { baseball } from '../../src/domains/baseball/baseball.ts';
import { replay } from '../../src/domains/chess/replay.ts';
import type { NamedArrays } from '../../src/engine/engine.ts';
import { createEngine } from '../../src/engine/runtimes/tfjs/create-engine.ts';
import { encodeCheckpoint } from '../../src/training/checkpoint.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import { trainHandlers, type TrainHost } from './handlers.ts';

const train = Corpus.from(baseball.invented!.games(8, 5));
/** Two games of chess, whose words are others. */
const chessGames = Corpus.from([unwrap(replay('e2e4 e7e5 g1f3 b8c6 f1b5')), unwrap(replay('d2d4 d7d5 c2c4 e7e6'))]);

const model = tinyGpt2({ context: 96 });
const reading: RunConfig = {
  ...presets[0].config,
  domain: 'baseball',
  notation: 'splat',
  model,
  schedule: { ...presets[0].config.schedule, steps: 3 },
  batch: 3,
  checkpointEvery: 100,
};
const asking = (id: string, changes: Partial<RunConfig> = {}): RunConfig => ({
  ...reading,
  questions: { from: { id, name: 'the reader' }, perGame: 1, perLine: 1, goals: 'released', learn: 'answer', own: [] },
  seed: 99,
  ...changes,
});

const of = (games: string): RunConfig['data'] => ({ ...reading.data, games });

/** A host that keeps what each engine was made with. */
function host(): TrainHost & { made: NamedArrays[] } {
  const made: NamedArrays[] = [];
  const games = givenGames((key) =>
    key === 'chess'
      ? { train: chessGames }
      : { domain: 'baseball', train, ...(key === 'noticed' ? { notice: 'Made by X.' } : {}) },
  );
  const inMemory = trainHost(games, (device, config, parameters) => {
    made.push(new Map([...parameters].map(([name, { shape, data }]) => [name, { shape, data: data.slice() }])));
    return createEngine({ backend: device.backend, device, model: config, parameters });
  });
  return { made, ...inMemory };
}

const finished = async (begin: Parameters<typeof finishedRun>[0]) => (await finishedRun(begin)).id;

test('fine-tuning starts with the newest weights of another run, and resuming never looks for them again', async () => {
  const shared = host();
  const service = trainHandlers(shared);
  const reader = await finished((on) => service.start({ ...reading, data: of('noticed') }, null, on));
  const learned = unwrap(await newestCheckpoint(shared.checkpoints, reader))!.checkpoint;
  expect(learned.step).toBe(3);

  const asker = await finished((on) => service.start(asking(reader), null, on));
  expect(shared.made).toHaveLength(2);
  expect([...shared.made[1].keys()].sort()).toEqual([...learned.parameters.keys()].sort());
  for (const [name, { data }] of shared.made[1]) expect(data).toEqual(learned.parameters.get(name)!.data);
  // Its own weights would have been others: the seed is another.
  const [name] = shared.made[0].keys();
  expect(shared.made[1].get(name)!.data).not.toEqual(shared.made[0].get(name)!.data);

  // What the first games want said stays with the weights.
  expect((await shared.runs.get(asker))!.config.data.notice).toBe('Made by X.');

  unwrap(await service.remove(reader));
  const tuned = unwrap(await newestCheckpoint(shared.checkpoints, asker))!.checkpoint;
  await finished((on) => service.resume(asker, null, on));
  for (const [key, { data }] of shared.made[2]) expect(data).toEqual(tuned.parameters.get(key)!.data);
});

test('weights that are not there, of other words or of another shape are refused in plain words', async () => {
  const shared = host();
  const service = trainHandlers(shared);
  const reader = await finished((on) => service.start(reading, null, on));
  const refusal = async (config: RunConfig) => {
    const started = await service.start(config, null, () => {});
    return started.ok ? null : started.error;
  };
  expect(await refusal(asking('run-77'))).toMatchObject({ code: 'no-run' });
  expect(await refusal(asking('shipped'))).toMatchObject({ code: 'no-shipped' });
  const wider = await refusal(asking(reader, { model: { ...model, width: 32 } }));
  expect(wider).toMatchObject({
    code: 'other-shape',
    message: expect.stringMatching(/^“the reader” has another shape/),
  });
  // Four heads have the shapes of two, and would read the same weights otherwise.
  expect(await refusal(asking(reader, { model: { ...model, heads: 4 } }))).toMatchObject({
    code: 'other-shape',
    message: expect.stringContaining('heads: 2 there, 4 here'),
  });
  // So has a window of any width.
  expect(await refusal(asking(reader, { model: { ...model, window: 8 } }))).toMatchObject({
    message: expect.stringContaining('window: null there, 8 here'),
  });
  const squares = await finished((on) =>
    service.start({ ...reading, domain: 'chess', notation: 'uci', data: of('chess') }, null, on),
  );
  expect(await refusal(asking(squares))).toMatchObject({ code: 'other-words' });
  for (const name of await shared.checkpoints.list(reader)) await shared.checkpoints.remove(reader, name);
  expect(await refusal(asking(reader))).toMatchObject({ code: 'no-checkpoint' });
  expect((await service.runs()).runs.map(({ id }) => id).sort()).toEqual([reader, squares].sort());
});

test('a shipped model’s files are read: without one of them, or of another game, they are refused', async () => {
  const service = trainHandlers(host());
  const nothing = await service.start(asking('shipped'), null, () => {}, new Map());
  expect(nothing).toMatchObject({ error: { code: 'no-weights' } });
  const files = ['model.safetensors', 'config.json', 'blindfold.json', 'training-record.json'];
  const shipped = new Map(
    files.map((name) => [
      name,
      new Uint8Array(readFileSync(new URL(`../../public/checkpoints/chess/${name}`, import.meta.url))),
    ]),
  );
  const chess = await service.start(asking('shipped'), null, () => {}, shipped);
  expect(chess).toMatchObject({ error: { code: 'other-words', message: expect.stringContaining('has read chess') } });
});

test('a run on whole games starts from a model that was opened, and its record says from which files', async () => {
  const shared = host();
  const service = trainHandlers(shared);
  const reader = await finished((on) => service.start(reading, null, on));
  const { checkpoint } = unwrap(await newestCheckpoint(shared.checkpoints, reader))!;
  const files = new Map([['theirs.safetensors', encodeCheckpoint(checkpoint)]]);
  const start = unwrap(await service.readStart('theirs', files));
  expect(start).toMatchObject({ id: expect.stringMatching(/^files:[0-9a-f]{16}$/), config: { model } });

  const config = { ...reading, from: { id: start.id, name: 'theirs' }, seed: 99 };
  const runs = [];
  for (let again = 0; again < 2; again++)
    runs.push(await finished((on) => service.start(config, null, on, new Map(files))));
  for (const [name, { data }] of shared.made[1]) expect(data).toEqual(checkpoint.parameters.get(name)!.data);
  const ends = await Promise.all(
    runs.map(async (id) => unwrap(await newestCheckpoint(shared.checkpoints, id))!.checkpoint),
  );
  expect(ends[0].config.from).toEqual({ id: start.id, name: 'theirs' });
  expect(ends[0].curve.losses()).toEqual(ends[1].curve.losses());
  expect([...ends[0].parameters]).toEqual([...ends[1].parameters]);

  const refusal = async (of: RunConfig, given?: typeof files) => {
    const started = await service.start(of, null, () => {}, given);
    return started.ok ? null : started.error.code;
  };
  expect(await refusal(config)).toBe('no-files');
  expect(await refusal(config, new Map([['other.safetensors', files.get('theirs.safetensors')!]]))).toBe('other-files');
  expect(await refusal({ ...config, model: { ...model, heads: 4 } }, files)).toBe('other-shape');
});
