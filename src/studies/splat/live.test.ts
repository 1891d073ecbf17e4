import { describe, expect, it } from 'vitest';
import { smallEngine } from '../../../fixtures/small-engine.ts';
import { scriptedEngine, type Continuations } from '../../../fixtures/scripted-engine.ts';
import { tinyGpt2 } from '../../../fixtures/sample-run.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import type { QuestionsConfig } from '../../config/questions-schema.ts';
import { presets } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { Corpus } from '../../data/corpus.ts';
import { simulateGames } from '../../domains/baseball/simulator/game.ts';
import { noughts } from '../../domains/noughts/noughts.ts';
import { notationOf } from '../../domains/domains.ts';
import { initialParameters } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import { tokensOf } from '../asking/next-token.ts';
import { QUESTIONS } from './questions/questions.ts';
import { trainingBatches } from './fine-tuning/training-batches.ts';
import { evaluateRun, makeRunWatch, measuresNothing } from '../evaluate-run.ts';
import { liveLines, randomAnswers } from './live.ts';

const ASKED: QuestionsConfig = { from: null, perGame: 1, perLine: 1, goals: 'released', learn: 'line', own: [] };
const preset = presets[0].config;
const configOf = (questions: QuestionsConfig | null, context: number, change: Partial<RunConfig> = {}): RunConfig => ({
  ...preset,
  domain: 'baseball',
  notation: 'splat',
  questions,
  model: tinyGpt2({ width: 32, context }),
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
const perfect: Continuations = (words) => {
  const { tokens } = questions.vocabulary;
  const separator = words.indexOf('[sep]');
  if (separator < 0) {
    const trace = unwrap(questions.readPath(words.slice(1), new Uint16Array(0)));
    const legal = questions.legalTokens(trace);
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
    const asked = unwrap(liveLines(config, notation, games.probe));
    expect(asked.prefixes).toHaveLength(24);
    expect(asked.lines).toHaveLength(24);
    expect(new Set(asked.lines.map(({ form }) => form))).toEqual(new Set(['assignment', 'winning']));
    // Games for perplexity are those of `dev`, and every token of the vocabulary is as likely as any other.
    const nothing = scriptedEngine(notation.vocabulary, () => ({}), 1024);
    const scores = unwrap(await evaluateRun(nothing, watch, { step: 7 }));
    expect(scores.step).toBe(7);
    expect(scores.devPerplexity).toBeCloseTo(notation.vocabulary.size, 2);
    expect(Object.keys(scores.scores)).toEqual(['splat']);
    const best = unwrap(
      await evaluateRun(
        { ...scriptedEngine(notation.vocabulary, perfect, 1024), logProbabilities: nothing.logProbabilities },
        watch,
        { step: 8 },
      ),
    );
    const { 'legal-verbs': verbs, 'question assignment': assignment, 'question winning': winning } = best.scores.splat;
    expect(verbs).toMatchObject({ mean: 1, n: 24 });
    expect(assignment.mean).toBe(1);
    expect(winning.mean).toBe(1);
    expect(assignment.n + winning.n).toBe(24);
    // The same lines are made again.
    expect(unwrap(liveLines(config, notation, games.probe)).lines).toEqual(asked.lines);
  });

  it('has references that need no model, of the same prefixes and lines', async () => {
    const config = configOf(ASKED, 1024);
    const notation = unwrap(notationOf(config));
    const lived = unwrap(liveLines(config, notation, games.probe));
    const { prefixes, lines } = lived;
    const { values } = randomAnswers(lived);
    const [panel] = unwrap(await makeRunWatch(config, notation, games)).studies.map(({ watch }) => watch.panel());
    expect(panel.references.at(-1)).toEqual({ label: 'random', values });
    const legal = prefixes.map((prefix) => questions.legalTokens(prefix).length / 144);
    expect(values['legal-verbs']).toBeCloseTo(legal.reduce((sum, each) => sum + each, 0) / 24, 9);
    expect(Object.keys(values).sort()).toEqual(['legal-verbs', 'question assignment', 'question winning']);
    const winning = lines.filter(({ form }) => form === 'winning');
    const asks = `in ${24 - winning.length} of assignment, ${winning.length} of winning questions`;
    expect(panel.views[0].note).toContain(asks);
    // Three answers alike; of variables, the right answer of another line about the same one.
    expect(values['question winning']).toBeCloseTo(1 / 3, 9);
    const assigned = lines.filter(({ form }) => form === 'assignment');
    const shares = assigned.map((line) => {
      const others = assigned.filter((other) => other !== line && other.args[0] === line.args[0]);
      if (others.length === 0) return 1 / questions.encode(line).candidates!.length;
      return others.filter((other) => other.answer === line.answer).length / others.length;
    });
    const expected = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(values['question assignment']).toBeCloseTo(expected, 9);
  });

  it('asks no questions of a run that only reads games, and fits everything into a short context', async () => {
    const config = configOf(null, 48);
    const notation = unwrap(notationOf(config));
    const watch = unwrap(await makeRunWatch(config, notation, games));
    const asked = unwrap(liveLines(config, notation, games.probe));
    expect(asked.lines).toEqual([]);
    expect(measuresNothing(watch)).toBe(false);
    const lengths = asked.prefixes.map((prefix) => tokensOf(notation, prefix).length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(48);
    const scores = unwrap(
      await evaluateRun(
        scriptedEngine(notation.vocabulary, () => ({}), 48),
        watch,
        { step: 0 },
      ),
    );
    expect(Object.keys(scores.scores.splat)).toEqual(['legal-verbs']);
    // Games are cut to what fits, as in training, and still each token is as likely as any other.
    expect(scores.devPerplexity).toBeCloseTo(144, 2);
    expect(Object.keys(randomAnswers(asked).values)).toEqual(['legal-verbs']);
  });

  it('says where there is nothing to measure, and counts several points of a game where games are few', async () => {
    const config = configOf(ASKED, 256);
    const notation = unwrap(notationOf(config));
    const none = unwrap(await makeRunWatch(config, notation, { ...games, probe: Corpus.from([]) }));
    expect(measuresNothing(none)).toBe(true);
    expect(unwrap(liveLines(config, notation, games.probe.first(1))).prefixes).toHaveLength(8);
  });
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
  const { values } = randomAnswers(unwrap(liveLines(config, notation, probe)));
  const batches = unwrap(trainingBatches(config, train, notation));
  const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
  const parameters = initialParameters(model, seededRandom('weights', 1));
  const engine = await smallEngine(model, parameters);
  const untrained = unwrap(await evaluateRun(engine, watch, { step: 0 }));
  for (let step = 0; step < 300; step++) {
    const learningRate = 4e-3 * (1 - step / 300);
    await engine.step(batches.batch(step), { ...config.optimizer, learningRate, muon: null }, step);
  }
  const trained = unwrap(await evaluateRun(engine, watch, { step: 300 }));
  engine.dispose();
  for (const form of ['assignment', 'winning']) {
    const score = trained.scores.splat[`question ${form}`];
    expect(score.mean).toBeGreaterThan(untrained.scores.splat[`question ${form}`].mean!);
    // Beyond what chance gives to so many questions.
    expect(score.ci95![0]).toBeGreaterThan(values[`question ${form}`]);
  }
});
