import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { Corpus } from '../../../data/corpus.ts';
import { baseball } from '../../../domains/baseball/baseball.ts';
import { chess } from '../../../domains/chess/chess.ts';
import { noughts } from '../../../domains/noughts/noughts.ts';
import { dataStatistics } from './data-statistics.ts';
import { QUESTIONS, questionsFor } from './questions.ts';

const corpusOf = (domain: { traces: typeof chess.traces }, ...lines: string[]): Corpus =>
  Corpus.from(lines.map((line) => unwrap(domain.traces.parse(line))));
const splat = (domain: { notation: typeof chess.notation }) => unwrap(domain.notation('splat'));
/** Knights that go out and back: a game of any length. */
const knights = (plies: number) =>
  Array.from({ length: plies }, (_, i) => ['g1f3', 'g8f6', 'f3g1', 'f6g8'][i % 4]).join(' ');

describe('the statistics of games', () => {
  it('count tokens by hand: three games of chess, one of baseball', () => {
    const games = corpusOf(chess, 'e2e4', 'e2e4 e7e5', knights(9));
    expect(dataStatistics(games, splat(chess))).toEqual({
      games: 3,
      tokens: 12,
      meanTokens: 4,
      vocabulary: 4390,
      questions: null,
    });
    // <sog>, <newbatter> and his id, <ball>, <out> (plate), <atbat>: 7 tokens of 5 verbs.
    const inning = corpusOf(baseball, '<sog> <newbatter> (id_100) <ball> <out> (plate) <atbat>');
    expect(dataStatistics(inning, splat(baseball))).toMatchObject({ games: 1, tokens: 7, vocabulary: 144 });
    // In UCI a move is two tokens.
    expect(dataStatistics(games, unwrap(chess.notation('uci')))).toMatchObject({ tokens: 24, vocabulary: 77 });
    const none = dataStatistics(Corpus.from([]), splat(chess), { questions: QUESTIONS.chess });
    expect(none).toMatchObject({ games: 0, tokens: 0, meanTokens: null, questions: 0 });
  });

  it('expect the questions that the authors’ points allow', () => {
    const asked = (plies: number, perGame?: number) =>
      dataStatistics(corpusOf(chess, knights(plies)), splat(chess), { questions: QUESTIONS.chess, perGame }).questions;
    // Points are 15 to 50 for two kinds of question, 15 to 74 and five plies more for goals.
    expect(asked(14)).toBe(0);
    expect(asked(15)).toBeCloseTo((1 / 36 + 1 / 36 + 0) / 3, 12);
    expect(asked(32)).toBeCloseTo((18 / 36 + 18 / 36 + 13 / 60) / 3, 12);
    expect(asked(60, 4)).toBeCloseTo((4 * (1 + 1 + 41 / 60)) / 3, 12);
    expect(asked(79)).toBe(1);
    const short = corpusOf(noughts, 'a1 b1 a2 b2 a3', 'a1 b1 c1 a2 c2 b2 b3 c3 a3');
    const noughtsQuestions = unwrap(questionsFor('noughts'));
    // Five squares leave no room for a goal; nine do.
    expect(dataStatistics(short, splat(noughts), { questions: noughtsQuestions }).questions).toBeCloseTo(2 / 3 + 1, 12);
  });

  it('expect what is then made, within three standard errors', () => {
    const games = Corpus.from(
      Array.from({ length: 400 }, (_, i) => unwrap(chess.traces.parse(knights(12 + (i % 60))))),
    );
    const expected = dataStatistics(games, splat(chess), { questions: QUESTIONS.chess }).questions!;
    const made = [...games].filter((trace, i) =>
      QUESTIONS.chess.make(trace, { random: seededRandom('expected', i), mode: 'corrected' }),
    ).length;
    // 400 games of which about two thirds give a question: a standard error of 9.
    expect(Math.abs(made - expected)).toBeLessThan(27);
  });
});
