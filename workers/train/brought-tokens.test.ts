import { expect, it } from 'vitest';
import { byteLevelFiles } from '../../fixtures/byte-level-tokenizer.ts';
import { givenGames } from '../../fixtures/given-games.ts';
import { sampleConfig, tinyGpt2 } from '../../fixtures/sample-run.ts';
import { finishedRun, trainHost } from '../../fixtures/worker-hosts.ts';
import { wholeMoveModel } from '../../fixtures/whole-move-model.ts';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { parseRunConfig, type RunConfig } from '../../src/config/run-config.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { baseball } from '../../src/domains/baseball/baseball.ts';
import { uciOf } from '../../src/domains/chess/formats/uci.ts';
import { POSSIBLE_MOVES } from '../../src/domains/chess/notation/move-tokens.ts';
import { randomGame } from '../../src/domains/chess/rules/random-game.ts';
import { createEngine } from '../../src/engine/runtimes/tfjs/create-engine.ts';
import { modelFolder } from '../../src/interchange/huggingface.ts';
import { readTokenizer } from '../../src/interchange/tokenizers/text-tokenizer.ts';
import { initialParameters } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import { analyseHandlers } from '../analyse/handlers.ts';
import { openModel } from '../measure/open-model.ts';
import { trainHandlers, type TrainHost } from './handlers.ts';

/** The first game begins with a move that the model has no token for. */
const LACKED = 'h2h4';
const chessGames = (key: string, games: number): Corpus =>
  Corpus.from(Array.from({ length: games }, (_, i) => randomGame(seededRandom(key, i), 12)));
const sets = {
  chess: {
    train: chessGames('brought', 12),
    dev: chessGames('brought dev', 3),
    probe: chessGames('brought probe', 30),
  },
  baseball: {
    domain: 'baseball',
    train: Corpus.from(baseball.invented!.games(6, 5)),
    dev: Corpus.from(baseball.invented!.games(2, 6)),
    probe: Corpus.from(baseball.invented!.games(6, 7)),
  },
};
const moves = POSSIBLE_MOVES.map(uciOf).filter((move) => move !== LACKED);
const lacking = [...sets.chess.train].filter((trace) => Array.from(trace, uciOf).includes(LACKED)).length;

const host = (): TrainHost =>
  trainHost(
    givenGames((key) => sets[key as 'chess']),
    (device, model, parameters) => createEngine({ backend: device.backend, device, model, parameters }),
  );

const settings: Partial<RunConfig> = {
  schedule: { ...sampleConfig.schedule, steps: 2 },
  batch: 3,
  checkpointEvery: 100,
  evaluation: { every: 1000, games: 2, instances: 2 },
};
const silent = (): void => {};

it('a run from a model of whole moves learns in its tokens, is asked in squares, stores them and goes on', async () => {
  const shared = host();
  const service = trainHandlers(shared);
  const files = wholeMoveModel(moves);
  const start = unwrap(await service.readStart('theirs', files));
  expect(start).toMatchObject({ config: { notation: 'moves' }, tokens: { rows: 4 + moves.length } });
  const from = { id: start.id, name: 'theirs', rows: start.tokens!.rows };
  const data = { ...sampleConfig.data, games: 'chess' };
  const config = unwrap(parseRunConfig({ ...start.config, ...settings, data, from, questions: null }));

  const analyser = analyseHandlers({
    ...shared,
    createEngine: (model, parameters) => createEngine({ backend: 'cpu', model, parameters }),
  });
  const { panels } = unwrap(await analyser.prepare(config, silent, start.tokens!.files));
  expect(panels.map(({ study }) => study)).toContain('testbed');
  const { events } = await finishedRun((on) => service.start(config, null, on, files));
  expect(events.at(-1)).toMatchObject({ kind: 'status', status: 'finished' });
  expect(lacking).toBeGreaterThan(0);
  expect(events).toContainEqual({
    kind: 'notice',
    failure: {
      code: 'games-left-out',
      message: expect.stringContaining(`${lacking} of 12 training games`),
    },
  });
  const { checkpoint } = unwrap(await newestCheckpoint(shared.checkpoints, 'run-1'))!;
  expect([...checkpoint.tokenizer!.keys()]).toEqual(['tokenizer.json', 'tokenizer_config.json']);
  const scored = unwrap(await analyser.evaluate({ step: 2, parameters: checkpoint.parameters }));
  expect(scored.devPerplexity).toBeGreaterThan(500);
  expect(scored.scores.testbed['end-legal-short'].n).toBe(2);
  expect(unwrap(await analyser.ask('e2e4 e7e5 g1'))).not.toBeNull();

  await finishedRun((on) => service.resume('run-1', null, on));
  unwrap(await analyser.openRun('run-1'));
  expect(unwrap(await analyser.ask('e2e4 e7e5 g1'))).not.toBeNull();
  const opened = await openModel({ kind: 'run', id: 'run-1' }, shared);
  expect(opened).toMatchObject({ notation: { tokensPer: 'square' }, learned: { tokensPer: 'event' } });
});

it('a run from a model of text learns questions as text, and its tokenizer stays with it', async () => {
  const shared = host();
  const service = trainHandlers(shared);
  const files = byteLevelFiles(['Ġ e', 'Ġ [']);
  const tokenizer = unwrap(readTokenizer(files));
  const rows = tokenizer.vocabulary.length;
  const theirs = { ...sampleConfig, model: tinyGpt2({ context: 512 }) };
  const parameters = initialParameters(modelOf(theirs, { size: rows, slots: null }), seededRandom('text'));
  const record = { tokens: [], step: 0 };
  for (const [name, bytes] of modelFolder(theirs, parameters, record, {
    slots: null,
    tokenizerRules: () => null,
    text: true,
    brought: tokenizer,
  }))
    if (name !== 'blindfold.json') files.set(name, bytes);

  const start = unwrap(await service.readStart('theirs', files));
  expect(start).toMatchObject({ config: { notation: 'text' }, tokens: { rows } });
  const from = { id: start.id, name: 'theirs', rows };
  const questions = { from, perGame: 1, perLine: 1, goals: 'released', learn: 'answer', own: [] };
  const data = { ...sampleConfig.data, games: 'baseball' };
  const wanted = { ...start.config, ...settings, domain: 'baseball', data, questions };
  const config = unwrap(parseRunConfig(wanted));
  await finishedRun((on) => service.start(config, null, on, files));
  const { checkpoint } = unwrap(await newestCheckpoint(shared.checkpoints, 'run-1'))!;
  expect([...checkpoint.tokenizer!.keys()].sort()).toEqual(['merges.txt', 'vocab.json']);
  const analyser = analyseHandlers({
    ...shared,
    createEngine: (model, parameters) => createEngine({ backend: 'cpu', model, parameters }),
  });
  const { panels } = unwrap(await analyser.prepare(config, silent, start.tokens!.files));
  expect(panels.map(({ study }) => study)).toContain('splat');
  const opened = await openModel({ kind: 'run', id: 'run-1' }, shared);
  expect(opened).toMatchObject({ notation: { name: 'text', tokensPer: 'piece' } });

  const none = await service.start({ ...config, questions: { ...config.questions!, from: null } }, null, silent);
  expect(none).toMatchObject({ ok: false, error: { code: 'no-tokenizer' } });
});
