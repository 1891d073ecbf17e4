import { afterAll, expect, it } from 'vitest';
import { smallEngine } from '../../../../fixtures/small-engine.ts';
import { byteLevelFiles } from '../../../../fixtures/byte-level-tokenizer.ts';
import { parametersOf } from '../../../../fixtures/small-models.ts';
import { tinyGpt2 } from '../../../../fixtures/sample-run.ts';
import { batchOf, rowsOf } from '../../../base/batch.ts';
import { unwrap } from '../../../base/result.ts';
import { TEXT_TUNING } from '../../../config/text-tuning.ts';
import { Corpus } from '../../../data/corpus.ts';
import { chess } from '../../../domains/chess/chess.ts';
import type { AnyDomain } from '../../../domains/domains.ts';
import { notationOf } from '../../../domains/domains.ts';
import { readTokenizer } from '../../../interchange/tokenizers/text-tokenizer.ts';
import type { GptConfig } from '../../../models/gpt.ts';
import { trainingBatches } from '../fine-tuning/training-batches.ts';
import { parseQuestion, QUESTIONS } from '../questions/questions.ts';
import { askQuestions, fitsQuestion } from './ask-questions.ts';
import { askLegalVerbs } from './legal-verbs.ts';
import { tailLogProbabilities } from './tail-probabilities.ts';
import { textWords } from './word-source.ts';
import { wordProbabilities } from './word-probabilities.ts';

const tokenizer = unwrap(readTokenizer(byteLevelFiles(['Ġ e', 'Ġe 2', 'Ġe2 e', 'Ġ [', 'Ġ. Ġ'])));
const rows = tokenizer.vocabulary.length;
const notation = unwrap(notationOf({ domain: 'chess', notation: 'text' }, { tokenizer, rows }));
const text = notation.text!;
const { vocabulary: words } = text.words;
const model: GptConfig = { ...tinyGpt2({ context: 128 }), vocabulary: rows, slots: null };
const engine = await smallEngine(model, parametersOf(model));
afterAll(() => engine.dispose());

const MOVES = 'e2e4 e7e5 g1f3 b8c6';
const prefix = unwrap(chess.traces.parse(MOVES));
const asked = notation.encode(prefix, { random: null, closed: false });

/** Nats of a text behind another, as the engine scores one whole row. */
async function scored(beginning: string, whole: string): Promise<number> {
  const [from, row] = [beginning, whole].map((line) => tokenizer.encode(line).ids);
  const values = await engine.logProbabilities(batchOf([row]), []);
  return values.slice(from.length - 1, row.length - 1).reduce((sum, value) => sum + value, 0);
}

it('ranks the texts of all answers by the probability of the whole line', async () => {
  const question = `[start] ${MOVES} [sep] Q3 e4`;
  const { line } = unwrap(parseQuestion(`${question} P [end]`));
  const pieces = ['P', 'N', 'B', 'R', 'Q', 'K', 'p', 'n', 'b', 'r', 'q', 'k', '.'];
  const scores = await Promise.all(pieces.map((piece) => scored(question, `${question} ${piece} [end]`)));
  const [answer] = unwrap(await askQuestions(engine, QUESTIONS.chess, [line], { text }));
  expect(answer.answered).toBe(pieces[scores.indexOf(Math.max(...scores))]);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - scores[0]), 0);
  expect(answer.goldProbability).toBeCloseTo(1 / total, 4);
});

it('adds up tails of any length, whatever they share', async () => {
  const tails = [[5], [5, 6], [5, 6, 7], [5, 6, 7, 8, 9], [5, 6, 8], [9, 1, 2, 3]];
  const [found] = await tailLogProbabilities(engine, [asked], [tails]);
  for (const [i, tail] of tails.entries()) {
    const values = await engine.logProbabilities(batchOf([[...asked, ...tail]]), []);
    const sum = values.slice(asked.length - 1, -1).reduce((total, value) => total + value, 0);
    expect(found[i]).toBeCloseTo(sum, 3);
  }
});

it('gives each word the probability of its text, less that of longer words that begin with it', async () => {
  const all = await wordProbabilities(engine, text, asked, { wanted: new Set(words.tokens.keys()), top: 1 });
  const behind = async (word: string) => Math.exp(await scored(`[start] ${MOVES}`, `[start] ${MOVES} ${word}`));
  for (const move of ['e2e3', 'b1c3', 'g8h6', 'e7e8n'])
    expect(all[words.id(move)!] / (await behind(move))).toBeCloseTo(1, 3);
  const longer = await Promise.all(['q', 'r', 'b', 'n'].map((piece) => behind(`e7e8${piece}`)));
  const straight = (await behind('e7e8')) - longer.reduce((sum, share) => sum + share, 0);
  expect(all[words.id('e7e8')!] / straight).toBeCloseTo(1, 3);
  expect(all.every((share) => share >= 0)).toBe(true);
  expect(all.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-6);

  // What is not run changes neither the likeliest nor those that are asked for.
  const wanted = new Set([words.id('a2a3')!, words.id('h7h8q')!]);
  const some = await wordProbabilities(engine, text, asked, { wanted, top: 20 });
  const order = (shares: Float32Array) =>
    [...shares.keys()].sort((a, b) => shares[b] - shares[a] || a - b).slice(0, 20);
  expect(order(some)).toEqual(order(all));
  for (const word of [...wanted, ...order(all)]) expect(some[word]).toBeCloseTo(all[word], 7);
});

it('asks for legal verbs among the words of the game', async () => {
  const [answer] = unwrap(await askLegalVerbs(engine, chess as AnyDomain, notation, [prefix]));
  expect(answer).toMatchObject({ events: 4, legal: 27, spelling: { tokens: 27 } });
  expect(answer.inPatternMass).toBeGreaterThanOrEqual(answer.legalMass);
  expect(answer.legalMass).toBeGreaterThan(0);
  const long = await askLegalVerbs(engine, chess as AnyDomain, notation, [
    Uint16Array.from({ length: 40 }, (_, i) => prefix[i % 4]),
  ]);
  expect(long).toMatchObject({ ok: false, error: { code: 'too-long' } });
});

it('writes words greedily, each until the next begins', async () => {
  const source = textWords(engine, text, asked);
  const found = [await source.next(), await source.next()];
  source.dispose();
  const greedy = engine.continue(asked);
  let told = '';
  for (let i = 0; i < 2 * text.longest + 4; i++) {
    const logits = await greedy.logits();
    const best = logits.reduce((most, logit, at) => (logit > logits[most] ? at : most), 0);
    told += tokenizer.decode([best]);
    greedy.advance(best);
  }
  greedy.dispose();
  expect(told.trimStart().startsWith(found[0])).toBe(true);
  for (const word of found) expect(word).not.toMatch(/\s/);
});

it('answers goals, and leaves room for what it writes', async () => {
  const { line } = unwrap(parseQuestion(`[start] ${MOVES} [sep] Q8 a4 N f1b5 a7a6 b5a4 g8f6 e1g1 [end]`));
  const [answer] = unwrap(await askQuestions(engine, QUESTIONS.chess, [line], { text }));
  expect(answer).toMatchObject({ gold: 'f1b5 a7a6 b5a4 g8f6 e1g1', correct: false });
  expect(fitsQuestion(QUESTIONS.chess, line, 128, text)).toBe(true);
  expect(fitsQuestion(QUESTIONS.chess, line, 64, text)).toBe(false);
  expect(fitsQuestion(QUESTIONS.chess, line, 64)).toBe(true);
});

it('learns from the text of question lines, answers alone where that is wanted', () => {
  const game = unwrap(
    chess.traces.parse(
      'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6b8 d2d4 b8d7 b1d2 c8b7',
    ),
  );
  const corpus = Corpus.from([game, game]);
  const questions = { from: null, perGame: 3, perLine: 2, goals: 'released', learn: 'answer', own: [] } as const;
  const config = { ...TEXT_TUNING, batch: 6, model: { ...TEXT_TUNING.model, context: 256 } };
  const batches = unwrap(trainingBatches({ ...config, questions: { ...questions, own: [] } }, corpus, notation));
  const batch = batches.batch(0);
  const lines = rowsOf(batch).map((row) => tokenizer.decode(Array.from(row)));
  expect(lines).toHaveLength(6);
  lines.forEach((line, row) => {
    const [first, second] = line.split(/(?<=\[end\]) /);
    expect(parseQuestion(first)).toMatchObject({ ok: true });
    if (second) expect(second).toMatch(/^\[sep\] Q[35] /);
    expect(tokenizer.encode(line).ids).toEqual([...rowsOf(batch)[row]]);
    const learnt = rowsOf(batch)[row].filter((_, at) => batch.learn![batch.offsets[row] + at] === 1);
    const answers = [...line.matchAll(/Q(?:3 \S+|5|8 \S+ \S+)( .*?\[end\])/g)].map(([, answer]) => answer);
    expect(tokenizer.decode([...learnt])).toBe(answers.join(''));
  });
});
