import { readFileSync } from 'node:fs';
import { Chess } from 'chess.js';
import { expect, test } from 'vitest';
import { byteLevelFiles } from '../../fixtures/byte-level-tokenizer.ts';
import { pytorchModel } from '../../fixtures/pytorch-bin.ts';
import { givenGames, randomGames, type GivenSet } from '../../fixtures/given-games.ts';
import { measureHost, storeCheckpoint, watchedEngines } from '../../fixtures/worker-hosts.ts';
import { listToy, toy } from '../../fixtures/toy-study.ts';
import { tinyGpt2 } from '../../fixtures/sample-run.ts';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { presets } from '../../src/config/presets.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { vocabulary } from '../../src/domains/chess/notation/vocabulary.ts';
import { modelFolder } from '../../src/interchange/huggingface.ts';
import { initialParameters } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import type { Progress } from '../../src/studies/asking/measuring.ts';
import { bigbench } from '../../src/studies/bigbench/study.ts';
import { boardMap, endMap } from '../../src/studies/board-map/study.ts';
import { selfPlay } from '../../src/studies/self-play/study.ts';
import { syntaxgym } from '../../src/studies/syntaxgym/study.ts';
import { testbed, type TestbedSettings } from '../../src/studies/testbed/study.ts';
import { whatIf } from '../../src/studies/what-if/study.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import { saveSnapshot } from '../../src/training/snapshot-store.ts';
import type { RunRecord } from '../train/protocol.ts';
import { zipped } from '../train/zip.ts';
import { measureHandlers } from './handlers.ts';
import { runStudy, type MeasureService } from './protocol.ts';

const config: RunConfig = {
  ...presets[0].config,
  notation: 'rap:15',
  model: tinyGpt2({ context: 128 }),
};
const model = modelOf(config, { size: vocabulary.size, slots: null });
const parametersOf = (key: string) => initialParameters(model, seededRandom('measure', key));

const sets: Record<string, GivenSet> = {};
/** Makes a set of games, and gives its key. */
const games = (changes: GivenSet = {}): string => {
  sets['random games'] = {
    train: randomGames(20, 'train', 40),
    dev: randomGames(3, 'dev', 40),
    test: randomGames(2, 'test', 40),
    probe: randomGames(80, 'probe', 40),
    ...changes,
  };
  return 'random games';
};
const asked: TestbedSettings = { ranges: ['short'], instances: 6, perplexityGames: 2, randomPlay: false, seed: 42 };

type Edit = Parameters<(typeof whatIf)['assess']>[3]['edit'];

/** Handlers on the CPU with a run that has checkpoints at steps 5 and 10; `on` is called between parts of the work. */
async function measurer(on: { pause?: () => void } = {}) {
  const { createEngine, ...engines } = watchedEngines();
  const host = measureHost(
    givenGames((key) => sets[key]),
    { createEngine, pause: async () => on.pause?.() },
  );
  const { checkpoints, runs, assessments } = host;
  for (const step of [5, 10]) {
    const at = { config, step, tokensSeen: step * 100, model, parameters: parametersOf(String(step)) };
    await storeCheckpoint(checkpoints, 'run-1', at);
  }
  await runs.put({ id: 'run-1', name: 'tiny 1', config, step: 10, createdAt: 1 } as RunRecord);
  await runs.put({ id: 'run-2', name: 'tiny 2', config, step: 0, createdAt: 2 } as RunRecord);
  return { service: measureHandlers(host), checkpoints, assessments, ...engines };
}

const SHUFFLE = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const silent = (): void => undefined;
const record = { tokens: vocabulary.tokens, step: 7 };
const ends = (service: MeasureService, prompt: string) => runStudy(service, endMap, { prompt }, null, silent);
const map = (service: MeasureService, game: string) => runStudy(service, boardMap, { game }, null, silent);
const assess = (
  service: MeasureService,
  of = asked,
  among = games(),
  onProgress = silent as (told: Progress) => void,
) => runStudy(service, testbed, of, among, onProgress);
const task = (service: MeasureService, text: string) =>
  runStudy(service, bigbench, { text, name: 'task.json' }, null, silent);
const openRun = async (service: MeasureService) => unwrap(await service.open({ kind: 'run', id: 'run-1' }));

/** Of folders without slots, whose tokenizer nobody asks. */
const plainNotation = { slots: null, tokenizerRules: () => null };

test('a run is opened at its newest checkpoint, or at the one before where that is cut short', async () => {
  const { service, checkpoints } = await measurer();
  expect(unwrap(await service.open({ kind: 'run', id: 'run-1', trainGames: 20 }))).toMatchObject({
    name: 'tiny 1',
    kind: 'gpt2',
    layers: 1,
    width: 16,
    steps: 10,
    tokens: 1000,
    trainGames: 20,
  });
  const newest = (await checkpoints.list('run-1')).sort().at(-1)!;
  const whole = await checkpoints.read('run-1', newest);
  await checkpoints.write('run-1', newest, whole.slice(0, whole.length >> 1));
  expect(await openRun(service)).toMatchObject({ steps: 5 });
});

test('a run is opened after an earlier step whose snapshot is stored', async () => {
  const { service, checkpoints } = await measurer();
  await openRun(service);
  const newest = unwrap(await ends(service, 'e2e4'));
  const { parameters } = unwrap(await newestCheckpoint(checkpoints, 'run-1'))!.checkpoint;
  const halved = new Map(
    [...parameters].map(([name, { shape, data }]) => [name, { shape, data: data.map((x) => x / 2) }]),
  );
  unwrap(await saveSnapshot(checkpoints, 'run-1', 3, halved));
  expect(unwrap(await service.open({ kind: 'run', id: 'run-1', step: 3 }))).toMatchObject({ steps: 3, tokens: null });
  expect(unwrap(await ends(service, 'e2e4')).answer).not.toEqual(newest.answer);
  expect(await service.open({ kind: 'run', id: 'run-1', step: 4 })).toMatchObject({ error: { code: 'no-snapshot' } });
});

test('a run that is gone or has no checkpoint is refused, and the model before stays open', async () => {
  const { service } = await measurer();
  expect(await ends(service, 'e2e4')).toMatchObject({ error: { code: 'not-open' } });
  await openRun(service);
  expect(await service.open({ kind: 'run', id: 'run-9' })).toMatchObject({ error: { code: 'no-run' } });
  expect(await service.open({ kind: 'run', id: 'run-2' })).toMatchObject({ error: { code: 'no-checkpoint' } });
  const { answer } = unwrap(await ends(service, 'e2e4'));
  // Black's eight pawns and two knights may move.
  expect(answer.pieces).toHaveLength(10);
});

test('an assessment answers four tasks an instance, is told of on its way, and is kept', async () => {
  const { service } = await measurer();
  await openRun(service);
  const reported: Progress[] = [];
  const first = unwrap(await assess(service, asked, games(), (progress) => reported.push(progress)));
  const [set] = first.answer.sets;
  expect(set.instances).toHaveLength(6);
  expect(set.answers).toHaveLength(24);
  expect(first.answer.perplexity.dev!.games).toBe(2);
  expect(first.notStored).toBeNull();
  expect(first.stored).toMatchObject({ study: 'testbed', run: 'run-1', assessment: first.answer });
  expect(first.stored!.asked).toEqual({ ...asked, games: 'random games' });
  expect(reported.at(-1)!.share).toBe(1);
  expect(reported.map(({ share }) => share)).toEqual(reported.map(({ share }) => share).sort((a, b) => a - b));
  const again = unwrap(await assess(service, { ...asked, instances: 3 }));
  expect(await service.list('testbed')).toEqual([again.stored, first.stored]);
  await service.remove('testbed', first.stored!.id);
  expect(await service.list('testbed')).toEqual([again.stored]);
});

test('an assessment that cannot be kept is given all the same, and says so', async () => {
  const { service, assessments } = await measurer();
  await openRun(service);
  assessments('testbed').put = async () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const { answer, notStored } = unwrap(await assess(service));
  expect(answer.sets[0].answers).toHaveLength(24);
  expect(notStored?.message).toContain('storage is full');
});

test('games that leave nothing to probe are refused', async () => {
  const { service } = await measurer();
  await openRun(service);
  const short = games({ probe: randomGames(80, 'probe', 4) });
  expect(await assess(service, asked, short)).toMatchObject({ error: { code: 'no-held-out-games' } });
});

test('what is asked is checked before anything is measured', async () => {
  const { service, engines } = await measurer();
  await openRun(service);
  expect(await assess(service, { ...asked, instances: 0 })).toMatchObject({
    error: { code: 'bad-setting', message: expect.stringMatching(/^instances: /) as string },
  });
  expect(await runStudy(service, testbed, asked, null, silent)).toMatchObject({ error: { code: 'no-games' } });
  expect(await service.run('conjuring', { settings: {}, games: null }, silent)).toMatchObject({
    error: { code: 'no-study' },
  });
  await expect(service.list('conjuring')).rejects.toThrow('conjuring');
  expect(engines).toEqual([]);
});

test('a measurement ends where it is cancelled, nothing is kept of it, and the next one goes', async () => {
  let pauses = 0;
  const on: { pause?: () => void } = {};
  const { service } = await measurer(on);
  await openRun(service);
  on.pause = () => {
    if (++pauses === 3) void service.cancel();
  };
  expect(await assess(service)).toMatchObject({ error: { code: 'cancelled' } });
  expect(pauses).toBe(3);
  expect(await service.list('testbed')).toEqual([]);
  expect(unwrap(await map(service, 'e2e4 e7e5')).answer.moves).toEqual(['e2e4', 'e7e5']);
});

test('one long measurement at a time; short questions are answered beside it', async () => {
  const { service, engines } = await measurer();
  await openRun(service);
  const long = map(service, 'e2e4 e7e5 g1f3 b8c6');
  const alone = { count: 1, warmUp: 0, plies: 4 };
  expect(await runStudy(service, selfPlay, alone, games(), silent)).toMatchObject({ error: { code: 'busy' } });
  expect(unwrap(await ends(service, 'e2e4')).answer.canonical).toBe('e2e4');
  expect(unwrap(await long).answer.boards).toHaveLength(5 * 64);
  expect(engines).toHaveLength(1);
});

test('opening another model ends what is under way and puts its engine away', async () => {
  const on: { pause?: () => void } = {};
  const { service, engines, disposed } = await measurer(on);
  await openRun(service);
  let pauses = 0;
  let opening: Promise<unknown> | null = null;
  on.pause = () => {
    if (++pauses === 2) opening = openRun(service);
  };
  expect(await map(service, 'e2e4 e7e5 g1f3 b8c6')).toMatchObject({ error: { code: 'cancelled' } });
  await opening;
  expect(engines).toHaveLength(1);
  expect(disposed).toEqual(new Set(engines));
  on.pause = undefined;
  expect(unwrap(await ends(service, 'e2e4')).answer.canonical).toBe('e2e4');
});

test('a prefix with a piece elsewhere is legal by another rule book, and differs in nothing else', async () => {
  const { service } = await measurer();
  await openRun(service);
  const prompt = 'e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 h7h6 c1';
  const edit: Edit = { kind: 'move', from: 19, to: 11 };
  const { answer: report } = unwrap(await runStudy(service, whatIf, { prompt, edit }, null, silent));
  const board = (prompt: string): string => {
    const game = new Chess();
    for (const move of prompt.split(' ').filter((word) => word.length > 2)) game.move(move);
    return game.fen().split(' ')[0];
  };
  expect(report.second).toMatch(/ c1$/);
  // The pawn back on d2, by hand.
  expect(board(report.second)).toBe('r1bqkb1r/pppp1pp1/2n2n1p/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R');
  expect(board(report.first)).toBe('r1bqkb1r/pppp1pp1/2n2n1p/4p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R');
  const sum = report.comparison.tokens.reduce((total, { difference }) => total + difference, 0);
  expect(sum).toBeCloseTo(0, 5);
  // Every token of both answers is judged by the rules: on its board the bishop has five squares, and then none.
  const [own, changed] = report.answers;
  expect(report.query).toEqual({ kind: 'end', from: 2 });
  expect([own.legal, changed.legal]).toEqual([[11, 20, 29, 38, 47], []]);
  const judged = changed.candidates.find(({ token }) => token === 'e3');
  expect(judged).toMatchObject({
    legal: false,
    error: 'path obstruction',
    why: 'the bishop on c1 is blocked by the pawn on d2',
  });
  for (const { token, first } of report.comparison.tokens)
    expect(own.candidates.find((candidate) => candidate.token === token)!.probability).toBeCloseTo(first, 6);
});

test.each<[string, 'rap:15' | 'ap', Edit]>([
  ['gone', 'rap:15', { kind: 'remove', square: 21 }],
  ['told elsewhere', 'ap', { kind: 'move', from: 21, to: 6 }],
])('a question about a piece that is %s is put aside in both prefixes', async (_, notation, edit) => {
  const { service } = await measurer();
  const folder = modelFolder({ ...config, notation }, parametersOf('exported'), record, plainNotation);
  unwrap(await service.open({ kind: 'files', name: 'mine', files: folder }));
  const prefix = 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b1c3 g8f6 d2d3 d7d6';
  const changed = { prompt: `${prefix} f3`, edit, legality: 'tokens' as const };
  const { answer: report } = unwrap(await runStudy(service, whatIf, changed, null, silent));
  expect(report.first).toBe(prefix);
  expect(report.second).toMatch(/[a-h][1-8][a-h][1-8]$/);
  expect(report.counterfactual.description).toMatch(/of the side to move stands on f3 any more/);
  const sum = report.comparison.tokens.reduce((total, { second }) => total + second, 0);
  expect(sum).toBeCloseTo(1, 5);
});

test('a lost device is replaced at the next question', async () => {
  const { service, engines, disposed } = await measurer();
  await openRun(service);
  const before = unwrap(await ends(service, 'e2e4'));
  engines[0].leafLogits = () => Promise.reject(Object.assign(new Error('gone'), { name: 'DeviceLostError' }));
  expect(await ends(service, 'e2e4')).toMatchObject({ error: { message: 'gone' } });
  expect(unwrap(await ends(service, 'e2e4')).answer).toEqual(before.answer);
  expect(engines).toHaveLength(2);
  expect(disposed).toEqual(new Set([engines[0]]));
});

test('a prompt that fills the context is answered, piece names that it never carries aside', async () => {
  const { service } = await measurer();
  await openRun(service);
  // A begin token, 63 moves of two and the question: all of 128.
  const plies = (n: number): string => Array.from({ length: n }, (_, i) => SHUFFLE[i % 4]).join(' ');
  unwrap(await ends(service, plies(63)));
  expect(await ends(service, plies(64))).toMatchObject({ error: { code: 'too-long' } });
});

test.each<[string, (service: MeasureService) => Promise<unknown>, string]>([
  ['an empty game', (service) => map(service, '  '), 'no-moves'],
  ['a game that breaks the rules', (service) => map(service, 'e2e4 e7e5 e1e3'), 'illegal-move'],
  ['markup for a game', (service) => map(service, '<script>alert(1)</script>'), 'not-a-move'],
  ['a game far too long', (service) => map(service, 'g1f3 g8f6 f3g1 f6g8 '.repeat(40)), 'too-long'],
  ['an endless text', (service) => ends(service, 'x'.repeat(1e6)), 'too-long'],
  ['an empty task', (service) => task(service, ''), 'bad-task'],
  ['half a task', (service) => task(service, '{"examples": [{"inp'), 'bad-task'],
  ['a task of another kind', (service) => task(service, '{"examples": 3}'), 'bad-task'],
  [
    'a change of a prefix without moves',
    (service) => runStudy(service, whatIf, { prompt: '', edit: { kind: 'remove', square: 0 } }, null, silent),
    'no-moves',
  ],
  [
    'another line that is no whole move',
    (service) =>
      runStudy(service, whatIf, { prompt: 'e2e4 e7e5', edit: { kind: 'instead', plies: 1, line: 'e7' } }, null, silent),
    'not-a-line',
  ],
])('%s is refused with a reason', async (_, ask, code) => {
  const { service } = await measurer();
  await openRun(service);
  expect(await ask(service)).toMatchObject({ ok: false, error: { code } });
});

test('a folder that the Runs page exported is measured, packed or not, whatever the folders in its names', async () => {
  const { service } = await measurer();
  const folder = modelFolder(config, parametersOf('exported'), record, plainNotation);
  unwrap(await service.open({ kind: 'files', name: 'mine', files: folder }));
  const loose = unwrap(await ends(service, 'e2e4'));
  const packed = zipped(new Map([...folder].map(([name, bytes]) => [`deep/inside/${name}`, bytes])));
  const about = unwrap(await service.open({ kind: 'files', name: 'mine', files: new Map([['mine.zip', packed]]) }));
  // Tokens and positions, a layer of 12 d d + 13 d, the last norm.
  const parameters = 77 * 16 + 128 * 16 + (12 * 16 * 16 + 13 * 16) + 2 * 16;
  expect(about).toMatchObject({ name: 'mine', steps: 7, notation: 'rap:15', parameters });
  expect(unwrap(await ends(service, 'e2e4')).answer).toEqual(loose.answer);
});

test.each<[string, (tokens: string[]) => [string, string]]>([
  [
    'vocab.json without merges',
    (tokens) => ['vocab.json', JSON.stringify(Object.fromEntries(tokens.map((token, id) => [token, id])))],
  ],
  ['vocab.txt', (tokens) => ['vocab.txt', `${tokens.join('\n')}\n`]],
  [
    'a tokenizer of whole words',
    (tokens) => [
      'tokenizer.json',
      JSON.stringify({
        model: { type: 'WordLevel', vocab: Object.fromEntries(tokens.map((token, id) => [token, id])) },
      }),
    ],
  ],
])('a folder of another maker whose tokens are squares, by %s, is a model of chess', async (_, listed) => {
  const { service } = await measurer();
  const files = modelFolder(config, parametersOf('x'), record, plainNotation);
  unwrap(await service.open({ kind: 'files', name: 'ours', files: new Map(files) }));
  const ours = unwrap(await ends(service, 'e2e4')).answer;
  const tokens = vocabulary.tokens.map((token) => (/^[PN]$/.test(token) ? `x${token}` : token));
  const [name, text] = listed(tokens);
  files.delete('blindfold.json');
  files.delete('tokenizer.json');
  files.delete('model.safetensors');
  files.set('pytorch_model.bin', pytorchModel(parametersOf('x'))).set(name, new TextEncoder().encode(text));
  const about = unwrap(await service.open({ kind: 'files', name: 'theirs', files }));
  expect(about).toMatchObject({ name: 'theirs', notation: 'rap:15' });
  expect(about.vocabulary).toEqual({ matched: 75, missing: ['P', 'N'], foreign: 2 });
  // Nobody lets it predict the names of pieces, which alone it lacks.
  const theirs = unwrap(await ends(service, 'e2e4')).answer;
  expect(theirs).toEqual(ours);
});

test.each<[string, (files: Map<string, Uint8Array>) => Map<string, Uint8Array>, RegExp]>([
  ['nothing', () => new Map(), /no-weights/],
  [
    'nothing that lists its tokens',
    (files) => (['blindfold.json', 'tokenizer.json'].forEach((name) => files.delete(name)), files),
    /no-vocabulary/,
  ],
  [
    'tokens of whole moves',
    (files) => {
      for (const name of ['blindfold.json', 'tokenizer.json']) files.delete(name);
      return files.set('vocab.json', new TextEncoder().encode('{"e2e4":0,"e7e5":1}'));
    },
    /other-vocabulary/,
  ],
  [
    'weights cut short',
    (files) => files.set('model.safetensors', files.get('model.safetensors')!.subarray(0, 9000)),
    /safetensors/,
  ],
  ['a damaged archive', (files) => new Map([['mine.zip', zipped(files).subarray(0, 3000)]]), /zip|unexpected|damaged/],
  [
    'another vocabulary',
    () => modelFolder(config, parametersOf('x'), { tokens: [...vocabulary.tokens].reverse(), step: 1 }, plainNotation),
    /other-vocabulary/,
  ],
  [
    'a number for tokens',
    () => modelFolder(config, parametersOf('x'), { tokens: 77 as unknown as string[], step: 1 }, plainNotation),
    /no-vocabulary/,
  ],
  [
    'weights that are no numbers',
    () => {
      const parameters = parametersOf('x');
      parameters.get('transformer.ln_f.weight')!.data[0] = NaN;
      return modelFolder(config, parameters, record, plainNotation);
    },
    /not-finite/,
  ],
  [
    'a config.json of another model',
    (files) => {
      const settings = JSON.parse(new TextDecoder().decode(files.get('config.json'))) as object;
      return files.set('config.json', new TextEncoder().encode(JSON.stringify({ ...settings, n_head: 1 })));
    },
    /record-differs/,
  ],
])('files with %s are refused with a reason', async (_, damage, code) => {
  const { service } = await measurer();
  const files = damage(modelFolder(config, parametersOf('exported'), record, plainNotation));
  const opened = await service.open({ kind: 'files', name: 'mine', files });
  expect(opened.ok).toBe(false);
  if (!opened.ok) expect(opened.error.code).toMatch(code);
});

test('the shipped model is opened with what its record tells', async () => {
  const { service } = await measurer();
  const names = ['model.safetensors', 'config.json', 'blindfold.json', 'training-record.json'];
  const folder = new URL('../../public/checkpoints/chess/', import.meta.url);
  const files = new Map(names.map((name) => [name, new Uint8Array(readFileSync(new URL(name, folder)))]));
  const recorded = JSON.parse(new TextDecoder().decode(files.get('training-record.json'))) as {
    data: { games: number };
    training: { steps: number };
  };
  expect(unwrap(await service.open({ kind: 'files', name: 'the shipped model', files }))).toMatchObject({
    trainGames: recorded.data.games,
    steps: recorded.training.steps,
  });
});

test('a model of text reads suites of sentences, and no study of games asks it', async () => {
  const { service } = await measurer();
  const tokenizer = byteLevelFiles(['Ġ i', 'Ġi s', 'Ġ a', 'Ġa r', 'Ġar e']);
  const shape = modelOf(config, { size: 262, slots: null });
  const files = modelFolder(config, initialParameters(shape, seededRandom('text')), record, plainNotation);
  files.delete('blindfold.json');
  for (const [name, bytes] of tokenizer) files.set(name, bytes);
  const about = unwrap(await service.open({ kind: 'files', name: 'english', files }));
  expect(about).toMatchObject({ name: 'english', kind: 'gpt2', notation: 'text', trainGames: null });

  const sentence = (...contents: string[]) => contents.map((content, i) => ({ region_number: i + 1, content }));
  const suite = (domain?: string) => ({
    meta: { name: 'agreement', metric: 'sum', ...(domain === undefined ? {} : { domain }) },
    region_meta: { 1: 'subject', 2: 'verb' },
    predictions: [{ type: 'formula', formula: '(2;%match%) < (2;%mismatch%)' }],
    items: [
      {
        item_number: 1,
        conditions: [
          { condition_name: 'match', regions: sentence('The key', 'is') },
          { condition_name: 'mismatch', regions: sentence('The key', 'are') },
        ],
      },
    ],
  });
  const ask = (of: object) => runStudy(service, syntaxgym, { text: JSON.stringify(of) }, null, () => {});
  const { answer } = unwrap(await ask(suite()));
  const [match, mismatch] = answer.suites[0].suite.items[0].conditions;
  const [verb, other] = [match, mismatch].map(({ regions }) => regions[1].metric_value!.sum!);
  expect(Math.min(verb, other)).toBeGreaterThan(0);
  expect(verb).not.toBe(other);
  expect(await ask(suite('chess'))).toMatchObject({ ok: false, error: { code: 'other-game' } });
  expect(await runStudy(service, testbed, {}, games(), () => {})).toMatchObject({
    ok: false,
    error: { code: 'does-not-apply' },
  });
});

test('a study that is added to the list is asked, checked, kept and listed as those that were there', async () => {
  const takeOff = listToy();
  try {
    const { service } = await measurer();
    await openRun(service);
    const reported: Progress[] = [];
    const run = (settings: object) => runStudy(service, toy, settings, null, (progress) => reported.push(progress));
    const { answer, stored } = unwrap(await run({ tokensAsked: 2, game: 'e2e4 e7e5' }));
    expect(answer.answers).toHaveLength(2);
    expect(answer.answers[0].probability).toBeGreaterThanOrEqual(answer.answers[1].probability);
    expect(reported.map(({ share }) => share)).toEqual([1]);
    expect(stored!.asked).toEqual({ tokensAsked: 2, game: 'e2e4 e7e5', games: '' });
    expect(await service.list('toy')).toEqual([stored]);
    expect(await service.list('testbed')).toEqual([]);
    expect(await run({ tokensAsked: 11 })).toMatchObject({ error: { code: 'bad-setting' } });
    expect(await run({ game: 'e2e5' })).toMatchObject({ ok: false });
    await service.remove('toy', stored!.id);
    expect(await service.list('toy')).toEqual([]);
  } finally {
    takeOff();
  }
});
