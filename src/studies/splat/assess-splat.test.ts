import { rowsOf } from '../../base/batch.ts';
import { expect, it } from 'vitest';
import { randomGames } from '../../../fixtures/given-games.ts';
import { smallEngine } from '../../../fixtures/small-engine.ts';
import { tinyGpt2 } from '../../../fixtures/sample-run.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { presets } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { Corpus } from '../../data/corpus.ts';
import { domainNamed } from '../../domains/domains.ts';
import { simulateGames } from '../../domains/baseball/simulator/game.ts';
import type { Engine } from '../../engine/engine.ts';
import { initialParameters } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import { assessedModel } from '../testbed/assess.ts';
import { assessSplat, type SplatAsked, type SplatSubject } from './assess-splat.ts';
import { fineTuningStates, stateReader } from './fine-tuning/fine-tuning-states.ts';
import { questionsFor } from './questions/questions.ts';
import { trainingBatches } from './fine-tuning/training-batches.ts';

const questions = { from: null, perGame: 1, perLine: 1, goals: 'released', learn: 'line', own: [] } as const;

function configOf(domain: string, changes: Partial<RunConfig> = {}): RunConfig {
  return {
    ...presets[0].config,
    domain,
    notation: 'splat',
    questions: { ...questions, own: [] },
    model: tinyGpt2({ context: 192 }),
    schedule: { ...presets[0].config.schedule, steps: 12 },
    batch: 4,
    seed: 3,
    ...changes,
  };
}

async function subjectOf(config: RunConfig): Promise<{ engine: Engine; subject: SplatSubject }> {
  const domain = unwrap(domainNamed(config.domain));
  const notation = unwrap(domain.notation(config.notation));
  const model = modelOf(config, { size: notation.vocabulary.size, slots: null });
  const parameters = initialParameters(model, seededRandom('assess splat'));
  const engine = await smallEngine(model, parameters);
  const facts = { name: 'small', notation: 'splat', config, steps: 12, tokens: null, trainGames: 20 };
  const about = assessedModel(model, facts);
  return { engine, subject: { domain, notation, questions: unwrap(questionsFor(config.domain)), about, config } };
}

const asked = (games: SplatAsked['games']): SplatAsked => ({
  games,
  questions: 4,
  perplexityGames: 2,
  goals: 'released',
  distances: true,
  seed: 5,
});
const chessSets = {
  train: randomGames(20, 'train', 90),
  dev: randomGames(3, 'dev', 90),
  test: randomGames(6, 'test', 90),
};
const baseballSets = {
  train: Corpus.from(simulateGames(8, 1)),
  dev: Corpus.from(simulateGames(3, 2)),
  test: Corpus.from([]),
};

it('asks a fine-tuned model of chess everything, and the same again by the same seed', async () => {
  const { engine, subject } = await subjectOf(configOf('chess'));
  const told: number[] = [];
  const found = unwrap(
    await assessSplat(engine, subject, asked(chessSets), { onProgress: ({ share }) => told.push(share) }),
  );
  expect(found.domain).toBe('chess');
  expect(found.subject.fineTuning).toEqual({ start: 'random weights', base: null, goals: 'released' });
  // Weights that have learned nothing waver between all tokens.
  expect(found.perplexity!.perplexity).toBeGreaterThan(4000);
  expect(found.perplexity!.tokens).toBe([0, 1].reduce((sum, i) => sum + chessSets.test.trace(i).length + 1, 0));
  expect(found.legalVerbs).toHaveLength(4);
  expect(found.prefixes!.map((prefix) => prefix.split(' ').length)).toEqual(
    found.legalVerbs.map(({ events }) => events),
  );
  for (const form of ['assignment', 'winning', 'goal']) {
    const answers = found.answers.filter((answer) => answer.form === form);
    expect(answers).toHaveLength(4);
    for (const { line, gold } of answers) expect(found.lines[line]).toContain(` ${gold} [end]`);
  }
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(told.at(-1)).toBeCloseTo(1, 9);
  // A test game begins as a training game does only by chance; its state differs somewhere.
  for (const { distance } of found.answers) expect(distance).toBeGreaterThan(0);
  expect(found.fineTuningStates).toEqual({ compared: 48, learned: 48 });
  const legal = found.legalVerbs.reduce((sum, one) => sum + one.legal, 0) / 4;
  expect(found.random.legalVerbs).toBeCloseTo(legal / 4390, 12);
  expect(unwrap(await assessSplat(engine, subject, asked(chessSets)))).toEqual(found);
  engine.dispose();
});

it('takes dev games where there is no test split, and asks a model of games alone no questions', async () => {
  const { engine, subject } = await subjectOf(configOf('baseball', { questions: null }));
  const found = unwrap(await assessSplat(engine, subject, asked(baseballSets)));
  expect(found.answers).toEqual([]);
  expect(found.lines).toEqual([]);
  expect(found.subject.fineTuning).toBeUndefined();
  expect(found.fineTuningStates).toBeNull();
  expect(found.legalVerbs).toHaveLength(4);
  for (const { inPatternMass } of found.legalVerbs) expect(inPatternMass).toBeNull();
  expect(found.perplexity!.games).toBe(2);
  const held = [0, 1, 2].map((i) => subject.domain.traces.format(baseballSets.dev.trace(i)));
  for (const prefix of found.prefixes!) expect(held.some((game) => game.startsWith(prefix))).toBe(true);
  engine.dispose();
});

it('asks given lines whatever was learned, tells no distance where none is wanted, and ends where it is cancelled', async () => {
  const { engine, subject } = await subjectOf(configOf('baseball'));
  const text = '[start] <sog> <newbatter> (id_100) <ball> [sep] Q1 [balls] 1 [end]';
  const line = unwrap(subject.questions.read(text.split(' ')));
  const given = { ...asked(baseballSets), lines: [line], distances: false };
  const found = unwrap(await assessSplat(engine, subject, given));
  expect(found.lines).toEqual([text]);
  expect(found.answers).toMatchObject([{ line: 0, form: 'assignment', gold: '1', distance: null }]);
  let parts = 0;
  const cancelled = (): boolean => ++parts > 3;
  expect(await assessSplat(engine, subject, asked(baseballSets), { cancelled })).toMatchObject({
    error: { code: 'cancelled' },
  });
  const none = { train: Corpus.from([]), dev: Corpus.from([]), test: Corpus.from([]) };
  expect(await assessSplat(engine, subject, asked(none))).toMatchObject({ error: { code: 'no-held-out-games' } });
  engine.dispose();
});

it('the states of fine-tuning are those at [sep] in the batches themselves', async () => {
  const config = configOf('chess');
  const { index } = unwrap(await fineTuningStates(config, chessSets.train));
  const { domain, notation } = (await subjectOf(config)).subject;
  const batches = unwrap(trainingBatches(config, chessSets.train, notation));
  const read = stateReader(domain);
  const separator = notation.vocabulary.id('[sep]')!;
  for (const step of [0, 5, 11]) {
    for (const line of rowsOf(batches.batch(step))) {
      const state = read.values(unwrap(notation.decode(line.slice(0, line.indexOf(separator)))))!;
      expect(index.nearest(state)).toBe(0);
      // By hand: another piece than any on two squares.
      const changed = state.map((value, square) => (square === 0 || square === 63 ? (value + 1) % 13 : value));
      expect(index.nearest(changed)).toBeLessThanOrEqual(2);
    }
  }
  expect(index.size).toBe(48);
  expect(unwrap(await fineTuningStates(config, chessSets.train, { most: 20 })).lines.compared).toBe(20);
  expect(unwrap(await fineTuningStates(config, chessSets.train, { steps: 5 })).index.size).toBe(20);
  expect(await fineTuningStates({ ...config, questions: null }, chessSets.train)).toMatchObject({
    error: { code: 'not-fine-tuned' },
  });
});
