import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import type { CustomQuestion } from '../../../config/questions-schema.ts';
import { BaseballState } from '../../../domains/baseball/state.ts';
import { simulateGames } from '../../../domains/baseball/simulator/game.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { Position } from '../../../domains/chess/rules/position.ts';
import { randomGame } from '../../../domains/chess/rules/random-game.ts';
import { baseballQuestions } from '../questions/baseball-questions.ts';
import { chessQuestions } from '../questions/chess-questions.ts';
import type { SplatGame } from '../questions/question.ts';
import { questionsFor, questionsOf } from '../questions/questions.ts';
import { splatGameOf } from '../questions/splat-game.ts';
import { spareAnswers } from './answers.ts';
import { EXAMPLE_QUESTIONS } from './examples.ts';
import { customFormOf, readExpression, type CustomForm } from './custom-form.ts';
import { tryQuestion } from './try-question.ts';
import { withCustom } from './with-custom.ts';

const BASEBALL = [...simulateGames(60, 11)];
const NOUGHTS = [...unwrap(domainNamed('noughts')).invented!.games(60, 5)];
const CHESS = Array.from({ length: 100 }, (_, i) => randomGame(seededRandom('own', i), 90));

const custom = (name: string, expression: string, indicator = 'Q9'): CustomQuestion => ({
  name,
  expression,
  indicator,
});
function form<State>(game: SplatGame<State>, expression: string): CustomForm<State> {
  return unwrap(customFormOf(custom('tried', expression), game));
}
/** "token word, token word": all answers of a question. */
function answers<State>(game: SplatGame<State>, expression: string): string {
  const question = form(game, expression);
  return question
    .answers([])
    .map((token) => `${token} ${question.answersRead.labels.get(token)}`)
    .join(', ');
}

describe('the tokens of answers', () => {
  it('leave out those of the game’s own questions', () => {
    expect(spareAnswers(chessQuestions)).toHaveLength(45);
    expect(spareAnswers(baseballQuestions).join(' ')).toBe('A0 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15');
    for (const token of ['A3', 'A4', 'A5', '.', 'q']) expect(spareAnswers(chessQuestions)).not.toContain(token);
  });

  it.each([
    ['outs = 1', 'A14 no, A15 yes'],
    ['outs', '0 0, 1 1, 2 2, 3 3, 4 4, 5 5'],
    ['2 * half + 10', '10 10, 12 12'],
    ['half - 1', 'A0 -1, 0 0'],
    ['most(-2, least(1, home - away))', 'A0 -2, A4 -1, 0 0, 1 1'],
    ['if half = 0 then "away" else "home"', 'A0 away, A4 home'],
    ['leader', 'A0 first, A4 second, A5 level'],
    ['if outs = 0 then "___" else if outs = 1 then "(id_107)" else "A1"', '___ empty, (id_107) (id_107), A0 A1'],
    ['if outs = 0 then 100 else 3', '3 3, A0 100'],
  ])('of %s in baseball are %s', (text, told) => expect(answers(baseballQuestions, text)).toBe(told));

  it.each([
    ['check', 'A14 no, A15 yes'],
    ['turn', 'A0 White, A1 Black'],
    ['e4', ['. empty', ...[...'PNBRQKpnbrqk'].map((piece) => `${piece} ${piece}`)].join(', ')],
    ['if check then "Q" else "[end]"', 'Q Q, A0 [end]'],
    ['if check then "e3" else "e2e4"', 'e3 e3, A0 e2e4'],
    ['least(2, count("Q"))', 'A0 0, A1 1, A2 2'],
    ['count("Q")', 'A0 0, A1 1, A2 2, A6 3, A7 4, A8 5, A9 6, A10 7, A11 8, A12 9 or more'],
  ])('of %s in chess are %s', (text, told) => expect(answers(chessQuestions, text)).toBe(told));

  it('tell numbers up to 29 in baseball, and the last stands for more', () => {
    const question = form(baseballQuestions, 'home + away');
    expect(question.answers([])).toEqual(Array.from({ length: 30 }, (_, i) => String(i)));
    const state = Object.assign(new BaseballState(), { home: 20, away: 12 });
    expect(question.answer(state, [])).toBe('29');
    expect(question.answersRead.labels.get('29')).toBe('29 or more');
    expect(question.answersRead.labels.get('28')).toBe('28');
  });

  it('are refused where they are too many', () => {
    expect(readExpression('count("P") - count("p")', chessQuestions)).toMatchObject({
      ok: false,
      error: { code: 'too-many-answers' },
    });
    const chain = Array.from({ length: 12 }, (_, i) => `if home = ${i} then "t${i}" else `).join('');
    expect(readExpression(`${chain}"t12"`, baseballQuestions)).toMatchObject({ ok: false });
    expect(
      readExpression(`${chain.slice(0, -'if home = 11 then "t11" else '.length)}"t12"`, baseballQuestions).ok,
    ).toBe(false);
    expect(readExpression('legal + 100', chessQuestions)).toMatchObject({ ok: false });
  });
});

describe('a game with custom questions', () => {
  const OWN = {
    baseball: [
      custom('runners on base', 'taken(first, second, third)', 'Q7'),
      custom('full count', 'balls = 3 and strikes = 2'),
    ],
    chess: [custom('in check', 'check', 'Q0'), custom('queens', 'count("Q", "q")', 'Q47'), custom('turn', 'turn')],
  };
  /** The same, counted by hand from the game's own state. */
  const onBase = ({ bases }: BaseballState) => String([1, 2, 3].filter((base) => bases[base] >= 0).length);
  const queens = ({ board }: Position) => board.filter((piece) => (piece & 7) === 5).length;

  it('makes lines that the checker agrees with, and reads them back', () => {
    const { questions, lines } = made(baseballQuestions, OWN.baseball, BASEBALL);
    for (const line of lines) {
      expect(questions.agrees(line, 'released')).toBe(true);
      expect(unwrap(questions.read(questions.format(line).split(' ')))).toEqual(line);
      expect(questions.encode(line).answer.every((id) => id !== undefined)).toBe(true);
      const state = baseballQuestions.stateAfter(line.prefix);
      if (line.form === 'runners on base') expect(line.answer).toBe(onBase(state));
      if (line.form === 'full count')
        expect(line.answer).toBe(state.balls === 3 && state.strikes === 2 ? 'A15' : 'A14');
    }
    for (const name of ['runners on base', 'full count', 'assignment'])
      expect(lines.filter(({ form }) => form === name).length).toBeGreaterThan(20);
  });

  it('does so in chess', () => {
    const { questions, lines } = made(chessQuestions, OWN.chess, CHESS);
    const tokens = ['A0', 'A1', 'A2', 'A6', 'A7', 'A8', 'A9', 'A10', 'A11', 'A12'];
    for (const line of lines) {
      expect(questions.agrees(line, 'corrected')).toBe(true);
      expect(unwrap(questions.read(questions.format(line).split(' ')))).toEqual(line);
      const position = chessQuestions.stateAfter(line.prefix);
      if (line.form === 'in check') expect(line.answer).toBe(position.inCheck() ? 'A15' : 'A14');
      if (line.form === 'turn') expect(line.answer).toBe(line.prefix.length % 2 === 0 ? 'A0' : 'A1');
      if (line.form === 'queens') expect(line.answer).toBe(tokens[queens(position)]);
    }
    expect(lines.filter(({ form }) => form === 'queens').length).toBeGreaterThan(20);
    const check = lines.filter(({ form }) => form === 'in check').map(({ answer }) => answer);
    expect(new Set(check)).toEqual(new Set(['A14', 'A15']));
  });

  it('does so in a plain game, where a square is "empty" in plain words', () => {
    const game = unwrap(splatGameOf('noughts'));
    const { questions, lines } = made(
      game,
      [custom('crosses', 'count("X")'), custom('middle', 'empty(b2)', 'Q4')],
      NOUGHTS,
    );
    const tokens = ['A0', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10', 'A11', 'A12'];
    for (const line of lines) {
      expect(questions.agrees(line, 'corrected')).toBe(true);
      // X begins, so that X has taken half of the squares, rounded up; event 4 is b2.
      if (line.form === 'crosses') expect(line.answer).toBe(tokens[Math.ceil(line.prefix.length / 2)]);
      if (line.form === 'middle') expect(line.answer).toBe(line.prefix.includes(4) ? 'A14' : 'A15');
    }
    expect(lines.filter(({ form }) => form === 'middle').length).toBeGreaterThan(20);
  });

  it('tells a wrong answer from a right one', () => {
    const questions = questionsOf(unwrap(withCustom(chessQuestions, OWN.chess)));
    const line = (text: string) => unwrap(questions.read(text.split(' ')));
    const check = '[start] e2e4 f7f6 d1h5 [sep] Q0';
    expect(questions.agrees(line(`${check} A15 [end]`), 'released')).toBe(true);
    expect(questions.agrees(line(`${check} A14 [end]`), 'released')).toBe(false);
    expect(questions.read(`${check} A13 [end]`.split(' '))).toMatchObject({ ok: false, error: { code: 'bad-answer' } });
  });

  it('is refused with the question and the place', () => {
    const refused = (...questions: CustomQuestion[]) => withCustom(chessQuestions, questions);
    expect(refused(custom('a', 'chekc'))).toMatchObject({ ok: false, error: { code: 'unknown-name' } });
    const failed = refused(custom('fine', 'check'), custom('b', '1 + turn', 'Q10'));
    expect(!failed.ok && failed.error.message).toMatch(/^The question "b": Character 5: A number belongs here/);
    expect(refused(custom('winning', 'check'))).toMatchObject({ ok: false, error: { code: 'bad-form' } });
    expect(refused(custom('c', 'check', 'Q3'))).toMatchObject({ ok: false, error: { code: 'bad-form' } });
    expect(refused(custom('c', 'check'), custom('d', 'turn'))).toMatchObject({
      ok: false,
      error: { code: 'bad-form' },
    });
    expect(refused(custom('c', 'check'), custom('c', 'turn', 'Q10'))).toMatchObject({
      ok: false,
      error: { code: 'bad-form' },
    });
  });

  it('is what the domain’s questions are, where a run has some', () => {
    const questions = unwrap(questionsFor('baseball', OWN.baseball));
    expect(questions.forms.map(({ name }) => name).slice(-2)).toEqual(['runners on base', 'full count']);
    expect(unwrap(questionsFor('baseball')).forms).toHaveLength(3);
    expect(questionsFor('chess', OWN.baseball)).toMatchObject({ ok: false, error: { code: 'unknown-name' } });
  });

  function made<State>(game: SplatGame<State>, own: CustomQuestion[], traces: Uint16Array[]) {
    const questions = questionsOf(unwrap(withCustom(game, own)));
    const lines = traces.flatMap((trace, i) =>
      [0, 1, 2, 3].flatMap(
        (k) => questions.make(trace, { random: seededRandom('made', i, k), mode: 'released' }) ?? [],
      ),
    );
    return { questions, lines };
  }
});

describe('a question that is tried', () => {
  it('counts its answers over the states that training asks about', () => {
    const trial = unwrap(tryQuestion('baseball', { expression: 'outs' }, BASEBALL));
    expect(trial.asked).toBe(240);
    const counts = trial.answers.map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(240);
    // Nought to two outs come often and alike, three only before <atbat>, more never.
    for (const count of counts.slice(0, 3)) expect(count).toBeGreaterThan(40);
    expect(counts.slice(4)).toEqual([0, 0]);
    expect(trial.always).toBeNull();
    expect(unwrap(tryQuestion('baseball', { expression: 'outs' }, BASEBALL))).toEqual(trial);
  });

  it('is told where it always has the same answer, or was never asked', () => {
    expect(unwrap(tryQuestion('chess', { expression: 'count("K", "k") = 2' }, CHESS)).always).toBe('yes');
    expect(unwrap(tryQuestion('chess', { expression: 'count("K", "k")' }, CHESS))).toMatchObject({
      always: '2',
      cut: 9,
    });
    expect(unwrap(tryQuestion('chess', { expression: 'check' }, []))).toMatchObject({ asked: 0, always: null });
    expect(tryQuestion('chess', { expression: 'check +' }, CHESS)).toMatchObject({
      ok: false,
      error: { at: 7 },
    });
  });

  it('has several answers in all the examples', () => {
    const several = (domain: string, traces: Uint16Array[]) =>
      EXAMPLE_QUESTIONS[domain].map((example) => {
        const { answers, always } = unwrap(tryQuestion(domain, example, traces));
        return `${example.name}: ${always ?? 'several'} of ${answers.length}`;
      });
    expect(several('baseball', BASEBALL)).toEqual([
      'runners on base: several of 4',
      'bases loaded: several of 2',
      'runs of both teams: several of 30',
      'full count: several of 2',
      'batting team: several of 2',
    ]);
    expect(several('chess', CHESS)).toEqual([
      'in check: several of 2',
      'queens on the board: several of 10',
      'pawns on the board: several of 17',
      'side to move: several of 2',
      'e4 taken: several of 2',
      'few legal moves: several of 2',
    ]);
    expect(several('noughts', NOUGHTS)).toEqual([
      'crosses on the board: several of 10',
      'player to move: several of 2',
      'middle taken: several of 2',
      'last square: several of 2',
    ]);
  });
});
