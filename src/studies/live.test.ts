import { describe, expect, it } from 'vitest';
import { toldEngine, type Told } from '../../fixtures/told-engine.ts';
import { seededRandom } from '../base/random.ts';
import { unwrap } from '../base/result.ts';
import type { QuestionsConfig } from '../config/questions-schema.ts';
import { presets } from '../config/presets.ts';
import type { RunConfig } from '../config/run-config.ts';
import { Corpus } from '../data/corpus.ts';
import { simulateGames } from '../domains/baseball/simulator/game.ts';
import { chess } from '../domains/chess/chess.ts';
import { noughts } from '../domains/noughts/noughts.ts';
import { notationOf } from '../domains/domains.ts';
import { createEngine } from '../engine/runtimes/tfjs/create-engine.ts';
import { initialParameters } from '../models/model.ts';
import { modelOf } from '../models/of-config.ts';
import { evaluate, makeWatch, referenceScores } from './testbed/live.ts';
import { countBigram } from './testbed/bigram.ts';
import { tokensOf } from './asking/next-token.ts';
import { legalTokensAfter } from './splat/asking/legal-verbs.ts';
import { QUESTIONS } from './splat/questions/questions.ts';
import { trainingBatches } from './splat/fine-tuning/training-batches.ts';
import { evaluateRun, makeRunWatch, measuresNothing, referencesOf } from './live.ts';

const ASKED: QuestionsConfig = { from: null, perGame: 1, perLine: 1, goals: 'released', learn: 'line', own: [] };
const preset = presets[0].config;
const configOf = (questions: QuestionsConfig | null, context: number, change: Partial<RunConfig> = {}): RunConfig => ({
  ...preset,
  domain: 'baseball',
  notation: 'splat',
  questions,
  model: {
    kind: 'gpt2',
    layers: 1,
    width: 32,
    heads: 2,
    context,
    dropout: 0,
    window: null,
    slots: false,
    start: 'gpt2',
    tied: true,
  },
  evaluation: { every: 10, games: 3, instances: 24 },
  ...change,
});
const games = {
  train: Corpus.from(simulateGames(60, 1)),
  dev: Corpus.from(simulateGames(5, 2)),
  probe: Corpus.from(simulateGames(30, 3)),
};
const questions = QUESTIONS.baseball;

/** Writes verbs as the rules allow, each alike, and answers as the symbolic program does. */
const perfect: Told = (words) => {
  const { tokens } = questions.vocabulary;
  const separator = words.indexOf('[sep]');
  if (separator < 0) {
    const trace = unwrap(questions.readPath(words.slice(1), new Uint16Array(0)));
    const legal = legalTokensAfter(questions, trace);
    return Object.fromEntries(legal.map((token) => [tokens[token], 0.999 / legal.length]));
  }
  const asked = words.slice(separator + 2);
  if (words[separator + 1] === 'Q2' ? asked.length === 1 : asked.length === 2) return { '[end]': 0.99 };
  const prefix = unwrap(questions.readPath(words.slice(1, separator), new Uint16Array(0)));
  const form = words[separator + 1] === 'Q2' ? 'winning' : 'assignment';
  return { [questions.ask(prefix, form, asked).answer!]: 0.9 };
};

describe('a run that reads SPLAT', () => {
  it('is watched by perplexity a token, Legal Verbs and, where it learns them, state questions', async () => {
    const config = configOf(ASKED, 1024);
    const notation = unwrap(notationOf(config));
    const watch = unwrap(await makeRunWatch(config, notation, games));
    if (watch.kind !== 'splat') throw new Error('these are no boards');
    expect(watch.watch.prefixes).toHaveLength(24);
    expect(watch.watch.lines).toHaveLength(24);
    expect(new Set(watch.watch.lines.map(({ form }) => form))).toEqual(new Set(['assignment', 'winning']));
    // Games for perplexity are those of `dev`, and every token of the vocabulary is as likely as any other.
    const nothing = toldEngine(notation.vocabulary, () => ({}), 1024);
    const scores = unwrap(await evaluateRun(nothing, notation, watch, { step: 7 }));
    expect(scores.step).toBe(7);
    expect(scores.devPerplexity).toBeCloseTo(notation.vocabulary.size, 2);
    expect(scores.short).toBeUndefined();
    const best = unwrap(
      await evaluateRun(
        { ...toldEngine(notation.vocabulary, perfect, 1024), logProbabilities: nothing.logProbabilities },
        notation,
        watch,
        { step: 8 },
      ),
    );
    expect(best.splat!.legalVerbs).toMatchObject({ mean: 1, n: 24 });
    expect(best.splat!.questions.assignment.mean).toBe(1);
    expect(best.splat!.questions.winning.mean).toBe(1);
    const asked = Object.values(best.splat!.questions).map(({ n }) => n);
    expect(asked[0] + asked[1]).toBe(24);
    // The same watch is made again.
    expect(unwrap(await makeRunWatch(config, notation, games))).toEqual(watch);
  });

  it('has references that need no model, of the same prefixes and lines', async () => {
    const config = configOf(ASKED, 1024);
    const notation = unwrap(notationOf(config));
    const watch = unwrap(await makeRunWatch(config, notation, games));
    const references = referencesOf(watch, games.train);
    if (watch.kind !== 'splat' || references.kind !== 'splat') throw new Error('these are no boards');
    const { prefixes, lines } = watch.watch;
    const legal = prefixes.map((prefix) => legalTokensAfter(questions, prefix).length / 144);
    expect(references.scores.legalVerbs).toBeCloseTo(legal.reduce((sum, each) => sum + each, 0) / 24, 9);
    expect(Object.keys(references.scores.questions).sort()).toEqual(['assignment', 'winning']);
    const winning = lines.filter(({ form }) => form === 'winning');
    expect(references.scores.asked).toEqual({ assignment: 24 - winning.length, winning: winning.length });
    // Three answers alike; of variables, the right answer of another line about the same one.
    expect(references.scores.questions.winning).toBeCloseTo(1 / 3, 9);
    const assigned = lines.filter(({ form }) => form === 'assignment');
    const shares = assigned.map((line) => {
      const others = assigned.filter((other) => other !== line && other.args[0] === line.args[0]);
      if (others.length === 0) return 1 / questions.encode(line).candidates!.length;
      return others.filter((other) => other.answer === line.answer).length / others.length;
    });
    const expected = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(references.scores.questions.assignment).toBeCloseTo(expected, 9);
  });

  it('asks no questions of a run that only reads games, and fits everything into a short context', async () => {
    const config = configOf(null, 48);
    const notation = unwrap(notationOf(config));
    const watch = unwrap(await makeRunWatch(config, notation, games));
    if (watch.kind !== 'splat') throw new Error('these are no boards');
    expect(watch.watch.lines).toEqual([]);
    expect(measuresNothing(watch)).toBe(false);
    const lengths = watch.watch.prefixes.map((prefix) => tokensOf(notation, prefix).length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(48);
    const scores = unwrap(
      await evaluateRun(
        toldEngine(notation.vocabulary, () => ({}), 48),
        notation,
        watch,
        { step: 0 },
      ),
    );
    expect(scores.splat!.questions).toEqual({});
    // Games are cut to what fits, as in training, and still each token is as likely as any other.
    expect(scores.devPerplexity).toBeCloseTo(144, 2);
    expect(referencesOf(watch, games.train)).toMatchObject({ kind: 'splat', scores: { questions: {}, asked: {} } });
  });

  it('says where there is nothing to measure, and counts several points of a game where games are few', async () => {
    const config = configOf(ASKED, 256);
    const notation = unwrap(notationOf(config));
    const none = unwrap(await makeRunWatch(config, notation, { ...games, probe: Corpus.from([]) }));
    expect(measuresNothing(none)).toBe(true);
    const one = unwrap(await makeRunWatch(config, notation, { ...games, probe: games.probe.first(1) }));
    expect(one.kind === 'splat' && one.watch.prefixes.length).toBe(8);
  });
});

it('a run of the testbed is watched as before', async () => {
  const lines = [
    'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6',
    'd2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7',
    'c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5',
  ];
  const corpus = Corpus.from(lines.map((line) => unwrap(chess.traces.parse(line))));
  const all = { train: corpus.first(1), dev: corpus, probe: corpus };
  const config = configOf(null, 64, { domain: 'chess', notation: 'uci' });
  const notation = unwrap(notationOf(config));
  const watch = unwrap(await makeRunWatch(config, notation, all));
  const before = await makeWatch(all, notation, { ...config.evaluation, context: 64 });
  expect(watch).toEqual({ kind: 'board', watch: before });
  const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
  const engine = await createEngine({ backend: 'cpu', model, parameters: initialParameters(model, seededRandom('w')) });
  const scores = unwrap(await evaluateRun(engine, notation, watch, { step: 1 }));
  expect(scores).toEqual(unwrap(await evaluate(engine, notation, before, { step: 1 })));
  expect(referencesOf(watch, all.train)).toEqual({
    kind: 'board',
    scores: referenceScores(before.instances, countBigram(all.train)),
  });
  engine.dispose();
});

it('a small model that learns the lines answers better than at random', async () => {
  const { games: invented } = noughts.invented!;
  const [train, dev, probe] = [200, 5, 100].map((count, i) => Corpus.from(invented(count, i)));
  const config = configOf({ ...ASKED, perGame: 4, learn: 'answer' }, 32, {
    domain: 'noughts',
    evaluation: { every: 100, games: 2, instances: 200 },
    batch: 32,
  });
  const notation = unwrap(notationOf(config));
  const watch = unwrap(await makeRunWatch(config, notation, { train, dev, probe }));
  const references = referencesOf(watch, train);
  const batches = unwrap(trainingBatches(config, train, notation));
  const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
  const parameters = initialParameters(model, seededRandom('weights', 1));
  const engine = await createEngine({ backend: 'wasm', model, parameters });
  const untrained = unwrap(await evaluateRun(engine, notation, watch, { step: 0 }));
  for (let step = 0; step < 300; step++) {
    const learningRate = 4e-3 * (1 - step / 300);
    await engine.step(batches.batch(step), { ...config.optimizer, learningRate, muon: null }, step);
  }
  const trained = unwrap(await evaluateRun(engine, notation, watch, { step: 300 }));
  engine.dispose();
  if (references.kind !== 'splat') throw new Error('these are no boards');
  for (const form of ['assignment', 'winning']) {
    const score = trained.splat!.questions[form];
    expect(score.mean).toBeGreaterThan(untrained.splat!.questions[form].mean!);
    // Beyond what chance gives to so many questions.
    expect(score.ci95![0]).toBeGreaterThan(references.scores.questions[form]);
  }
}, 30_000);
