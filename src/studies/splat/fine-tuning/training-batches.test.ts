import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import type { QuestionsConfig } from '../../../config/questions-schema.ts';
import { presets } from '../../../config/presets.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { rowsOf, type Batch } from '../../../base/batch.ts';
import { Batches } from '../../../data/batches.ts';
import { Corpus } from '../../../data/corpus.ts';
import { simulateGames } from '../../../domains/baseball/simulator/game.ts';
import { randomGame } from '../../../domains/chess/rules/random-game.ts';
import { notationOf } from '../../../domains/domains.ts';
import { parseQuestion } from '../questions/questions.ts';
import { tokensOfLargest, trainingBatches } from './training-batches.ts';

const ASKED: QuestionsConfig = { from: null, perGame: 1, perLine: 1, goals: 'released', learn: 'line', own: [] };

const baseballGames = Corpus.from(simulateGames(40, 3));
/** Games of random legal moves, of 8 to 87 plies. */
const chessGames = Corpus.from(
  Array.from({ length: 80 }, (_, game) => randomGame(seededRandom('batches test', game), 8 + game)),
);

function made(domain: 'chess' | 'baseball', change: Partial<QuestionsConfig> | null, context = 1024, seed = 5) {
  const preset = presets[0].config;
  const config: RunConfig = {
    ...preset,
    domain,
    notation: 'splat',
    questions: change && { ...ASKED, ...change },
    model: { ...preset.model, context } as RunConfig['model'],
    batch: 8,
    seed,
  };
  const notation = unwrap(notationOf(config));
  const corpus = domain === 'chess' ? chessGames : baseballGames;
  return { config, notation, corpus, result: trainingBatches(config, corpus, notation) };
}

/** The rows of a batch in words. */
function linesIn(batch: Batch, names: readonly string[]): string[] {
  return rowsOf(batch).map((row) => Array.from(row, (token) => names[token]).join(' '));
}

function epoch(domain: 'chess' | 'baseball', change: Partial<QuestionsConfig>, context?: number, first = 0) {
  const { result, notation } = made(domain, change, context);
  const batches = unwrap(result);
  const steps = Array.from({ length: batches.stepsPerEpoch }, (_, i) => first * batches.stepsPerEpoch + i);
  const all = steps.map((step) => batches.batch(step));
  return { batches, all, lines: all.flatMap((batch) => linesIn(batch, notation.vocabulary.tokens)) };
}

it('without questions the batches are those of whole games', () => {
  const { config, notation, corpus, result } = made('baseball', null);
  const batches = unwrap(result);
  const plain = new Batches(corpus, notation, { games: 8, seed: config.seed, context: 1024, objective: 'next' });
  expect(batches.stepsPerEpoch).toBe(5);
  expect(batches.batch(7)).toEqual(plain.batch(7));
});

describe.each(['chess', 'baseball'] as const)('questions about %s', (domain) => {
  it('agree with the symbolic program, in both modes of goals', () => {
    for (const goals of ['released', 'corrected'] as const) {
      const { lines } = epoch(domain, { goals, perGame: 4 });
      const forms = new Map<string, number>();
      for (const text of lines) {
        const { line, questions } = unwrap(parseQuestion(text));
        expect(questions.game).toBe(domain);
        expect(questions.format(line)).toBe(text);
        expect(questions.agrees(line, goals)).toBe(true);
        forms.set(line.form, (forms.get(line.form) ?? 0) + 1);
      }
      // Three forms alike: counts of about 100 of 300 lie within 20 (2.4 standard deviations) or so; goals need longer games.
      expect([...forms.keys()].sort()).toEqual(['assignment', 'goal', 'winning']);
      const share = 1 / 3;
      for (const n of forms.values())
        expect(Math.abs(n / lines.length - share)).toBeLessThan(domain === 'chess' ? 0.1 : 0.12);
    }
  });

  it('ask every long enough game as often as is wanted in each epoch, and something else in the next', () => {
    const { batches, all, lines } = epoch(domain, { perGame: 3 });
    const corpus = domain === 'chess' ? chessGames : baseballGames;
    const long = [...corpus]
      .map((trace, game) => [trace.length, game])
      .filter(([n]) => n >= (domain === 'chess' ? 15 : 5));
    const asked = Array.from({ length: batches.stepsPerEpoch }, (_, step) => [...batches.gamesOf(step)]);
    expect(asked.flat().sort((a, b) => a - b)).toEqual(long.flatMap(([, game]) => [game, game, game]));
    expect(asked.map((games) => games.length)).toEqual(all.map((batch) => rowsOf(batch).length));
    expect(lines).toHaveLength(3 * long.length);
    // Row and game belong together.
    const [first] = all;
    const { notation } = made(domain, {});
    asked[0].forEach((game, row) => {
      const { prefix } = unwrap(parseQuestion(linesIn(first, notation.vocabulary.tokens)[row])).line;
      expect(prefix).toEqual(corpus.trace(game).slice(0, prefix.length));
    });
    const later = epoch(domain, { perGame: 3 }, 1024, 1).lines;
    const same = later.filter((line) => lines.includes(line)).length;
    expect(same / lines.length).toBeLessThan(0.1);
  });

  it('are a pure function of seed and step', () => {
    const [one, two] = [unwrap(made(domain, {}).result), unwrap(made(domain, {}).result)];
    const steps = [0, 9, 3, 14];
    const inOrder = [...steps].sort((a, b) => a - b).map((step) => [step, one.batch(step)] as const);
    for (const [step, batch] of [...inOrder].reverse()) expect(two.batch(step)).toEqual(batch);
    const other = unwrap(made(domain, {}, 1024, 6).result);
    expect(other.batch(0)).not.toEqual(one.batch(0));
  });

  it('mark the answer and [end] as what is learned, and nothing else', () => {
    const { all } = epoch(domain, { learn: 'answer' });
    const { notation } = made(domain, {});
    let goals = 0;
    for (const batch of all) {
      linesIn(batch, notation.vocabulary.tokens).forEach((text, row) => {
        const words = text.split(' ');
        const asked = words.indexOf('[sep]') + 1;
        const args = { Q3: domain === 'chess' ? 1 : 2, Q5: 0, Q8: 2, Q1: 1, Q2: 0 }[words[asked]]!;
        if (['Q8', domain === 'baseball' ? 'Q3' : ''].includes(words[asked])) goals++;
        const learned = batch.learn!.subarray(batch.offsets[row], batch.offsets[row + 1]);
        expect([...learned]).toEqual(words.map((_, i) => (i > asked + args ? 1 : 0)));
      });
    }
    expect(goals).toBeGreaterThan(3);
    for (const batch of epoch(domain, { learn: 'line' }).all) expect(batch.learn).toBeNull();
  });

  it('keep question and answer where the context is short, and spread over what fits', () => {
    const context = domain === 'chess' ? 40 : 64;
    const { lines } = epoch(domain, { perGame: 6 }, context);
    for (const text of lines) {
      const { line, questions } = unwrap(parseQuestion(text));
      expect(questions.agrees(line, 'released')).toBe(true);
    }
    const lengths = lines.map((line) => line.split(' ').length);
    expect(Math.max(...lengths)).toBeGreaterThan(context - 4);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(context);
    expect(lines.some((line) => line.includes(domain === 'chess' ? 'Q8' : 'Q3'))).toBe(true);
  });
});

it('go on about the same moment where a line has several, each different and right', () => {
  for (const domain of ['chess', 'baseball'] as const) {
    const { all, lines } = epoch(domain, { perLine: 6, learn: 'answer' });
    const alone = epoch(domain, { learn: 'answer' });
    const rows = all.flatMap((batch) =>
      linesIn(batch, made(domain, {}).notation.vocabulary.tokens).map((text, row) => ({ text, batch, row })),
    );
    let several = 0;
    rows.forEach(({ text, batch, row }, at) => {
      const [head, ...questions] = text.split(' [sep] ');
      expect(lines[at]).toBe(text);
      // The first is the one that the line would have alone.
      expect(`${head} [sep] ${questions[0]}`).toBe(alone.lines[at]);
      for (const question of questions) {
        const { line, questions: of } = unwrap(parseQuestion(`${head} [sep] ${question}`));
        expect(of.agrees(line, 'released')).toBe(true);
        if (questions.length > 1) expect(line.form).not.toBe('goal');
      }
      const asked = questions.map((question) => question.split(' ').slice(0, -2).join(' '));
      expect(new Set(asked).size).toBe(asked.length);
      if (questions.length > 1) expect(questions).toHaveLength(6);
      several += Number(questions.length > 1);
      // Each answer and the [end] behind it, and nothing else, is learned.
      const learned = batch.learn!.subarray(batch.offsets[row], batch.offsets[row + 1]);
      const words = text.split(' ');
      if (questions.length > 1)
        expect([...learned]).toEqual(words.map((word, i) => Number(word === '[end]' || words[i + 1] === '[end]')));
    });
    expect(several / rows.length).toBeGreaterThan(0.4);
  }
});

it('learns custom questions with the others', () => {
  const own = [{ name: 'runs', indicator: 'Q9', expression: 'away + home' }];
  const { result } = made('baseball', { own, perGame: 4 });
  if (!result.ok) throw new Error(result.error.message);
  const { tokens } = made('baseball', {}).notation.vocabulary;
  const lines = linesIn(result.value.batch(0), tokens).concat(linesIn(result.value.batch(1), tokens));
  const asked = lines.filter((line) => line.includes('[sep] Q9'));
  expect(asked.length).toBeGreaterThan(0);
  for (const line of asked) {
    // The program knows nothing of the question here: runs are counted from the verbs.
    const runs = line.split(' ').filter((word) => word === '(score)').length;
    expect(line.split(' ').slice(-2)).toEqual([String(runs), '[end]']);
  }
});

it('says so where no game can be asked about', () => {
  const { config, notation } = made('chess', {});
  const short = Corpus.from([chessGames.trace(0), chessGames.trace(3)]);
  expect(trainingBatches(config, short, notation)).toMatchObject({ error: { code: 'games-too-short' } });
  expect(trainingBatches(config, Corpus.from([]), notation)).toMatchObject({ error: { code: 'no-games' } });
  expect(made('chess', {}, 16).result).toMatchObject({ error: { code: 'games-too-short' } });
});

it.each([
  ['whole games', null],
  ['questions', { perLine: 2 }],
] as const)('knows the largest batch of the epochs to come before they come: %s', (_, change) => {
  const batches = unwrap(made('chess', change).result);
  const most = tokensOfLargest(batches);
  const tokens = Array.from({ length: 3 * batches.stepsPerEpoch }, (_, step) => batches.batch(step).tokens.length);
  const largest = Math.max(...tokens);
  expect(largest).toBeLessThanOrEqual(most);
  expect(most).toBeLessThan(1.25 * largest);
});
