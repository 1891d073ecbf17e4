import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { baseball } from '../../../domains/baseball/baseball.ts';
import { simulateGames } from '../../../domains/baseball/simulator/game.ts';
import { chess } from '../../../domains/chess/chess.ts';
import type { Position } from '../../../domains/chess/rules/position.ts';
import { randomGame } from '../../../domains/chess/rules/random-game.ts';
import { spareIndicators, withForm } from './add-form.ts';
import { chessQuestions } from './chess-questions.ts';
import { checkQuestions } from './check.ts';
import type { GoalMode, QuestionLine } from './question.ts';
import { parseQuestion, QUESTIONS, questionsOf } from './questions.ts';

const agrees = (text: string, mode: GoalMode = 'released'): boolean => {
  const { line, questions } = unwrap(parseQuestion(text));
  expect(questions.format(line)).toBe(text);
  return questions.agrees(line, mode);
};
const error = (text: string): string => {
  const parsed = parseQuestion(text);
  return parsed.ok ? 'no error' : parsed.error.message;
};
async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** Games of random legal moves. */
const chessGames = Array.from({ length: 300 }, (_, i) => randomGame(seededRandom('questions test', i), 100));
const baseballGames = [...simulateGames(150, 7)];

function made(game: 'chess' | 'baseball', mode: GoalMode): QuestionLine[] {
  const games = game === 'chess' ? chessGames : baseballGames;
  return games.flatMap((trace, i) =>
    [0, 1, 2, 3].flatMap((k) => QUESTIONS[game].make(trace, { random: seededRandom('q', i, k), mode }) ?? []),
  );
}

const BATTER = '[start] <sog> <newbatter> (id_100)';

describe('lines written by hand', () => {
  it('of chess', () => {
    const opening = '[start] e2e4 d7d5 e4d5';
    expect(agrees(`${opening} [sep] Q3 d5 P [end]`)).toBe(true);
    expect(agrees(`${opening} [sep] Q3 d7 . [end]`)).toBe(true);
    expect(agrees(`${opening} [sep] Q3 d8 Q [end]`)).toBe(false);
    expect(agrees(`${opening} [sep] Q5 A3 [end]`)).toBe(true);
    expect(agrees(`${opening} d8d5 [sep] Q5 A5 [end]`)).toBe(true);
    expect(agrees(`${opening} d8d5 b1c3 d5e5 f1e2 e5g3 [sep] Q5 A4 [end]`)).toBe(false);
    expect(agrees(`${opening} [sep] Q8 c3 N d8d5 g1f3 g8f6 d2d4 b8c6 [end]`)).toBe(false);
    expect(agrees(`${opening} [sep] Q8 c6 n d8d5 g1f3 g8f6 d2d4 b8c6 [end]`)).toBe(true);
    expect(agrees(`${opening} [sep] Q8 g1 K d8d5 g1f3 g8f6 f1e2 e7e6 [end]`)).toBe(false);
  });

  it('of baseball', () => {
    const line = `${BATTER} <hit> <advance> (plate) (second) <atbat> <newbatter> (id_101) <ball>`;
    expect(agrees(`${line} [sep] Q1 [second] (id_100) [end]`)).toBe(true);
    expect(agrees(`${line} [sep] Q1 [first] ___ [end]`)).toBe(true);
    expect(agrees(`${line} [sep] Q1 [balls] 0 [end]`)).toBe(false);
    expect(agrees(`${line} [sep] Q2 A3 [end]`)).toBe(true);
    expect(agrees(`${line} <hit> <advance> (second) (score) [sep] Q2 A1 [end]`)).toBe(true);
  });

  it('of baseball’s goals, where the last verb is told twice', () => {
    const end = '<atbat> <newbatter> (id_101) <ball> <ball>';
    const doubled = `${BATTER} <strike> <strike> <strike> [sep] Q3 [strikes] 0 <strike> <out> (plate) <atbat> <newbatter> (id_101) <ball> [end]`;
    expect(agrees(doubled)).toBe(true);
    expect(agrees(doubled, 'corrected')).toBe(false);
    expect(agrees(`${BATTER} <out> (plate) [sep] Q3 [outs] 2 <out> (plate) ${end} [end]`)).toBe(true);
    expect(agrees(`${BATTER} <out> (plate) [sep] Q3 [outs] 1 ${end} <ball> [end]`, 'corrected')).toBe(true);
    expect(agrees(`${BATTER} <out> (plate) [sep] Q3 [outs] 2 ${end} <ball> [end]`, 'corrected')).toBe(false);
    // Nobody is left at the plate to be moved again, and first is emptied.
    expect(
      agrees(`${BATTER} <advance> (plate) (first) [sep] Q3 [first] ___ <advance> (plate) (first) ${end} [end]`),
    ).toBe(true);
  });
});

describe('lines that are no questions', () => {
  it.each([
    ['e2e4 [sep] Q5 A3 [end]', 'It begins with "e2e4"'],
    ['[start] e2e4 Q5 A3 [end]', 'There is no [sep]'],
    ['[start] e2e4 [sep] Q5 A3', 'It does not end with [end], so it may be cut off'],
    ['[start] [sep] Q5 A3 [end]', 'There are no verbs before [sep]'],
    ['[start] e2e4 [sep] Q5 A3 [end] [start] e2e4 [sep] Q5 A3 [end]', 'Token 6: a second [end]'],
    ['[start] hello [sep] Q5 A3 [end]', 'Token 2: "hello" begins no game'],
    ['[start] e2e4 e2e4 [sep] Q5 A5 [end]', 'Token 3: Ply 2'],
    ['[start] e2e4 <ball> [sep] Q5 A5 [end]', 'Token 3: "<ball>" is not a move in UCI'],
    ['[start] e2e4 [sep] Q4 A5 [end]', 'Token 4: "Q4" asks nothing known of chess; the questions are Q3 (assignment)'],
    ['[start] e2e4 [sep] Q3 e9 P [end]', 'Token 5: "e9" is no argument of Q3'],
    ['[start] e2e4 [sep] Q3 [end]', 'Token 5: the line ends; it takes one of a1 b1 c1'],
    ['[start] e2e4 [sep] Q3 e4 [end]', 'Token 6: the line ends; the answer is missing'],
    ['[start] e2e4 [sep] Q3 e4 X [end]', 'Token 6: "X" is no answer to Q3'],
    ['[start] e2e4 [sep] Q5 A3 A4 [end]', 'Token 5: "A3 A4" is no answer to Q5; it takes one of A3 A4 A5'],
    ['[start] e2e4 [sep] Q8 e5 p e7e5 [end]', 'Token 7: the answer tells 1 of the 5 verbs'],
    ['[start] e2e4 [sep] Q8 e5 p e7e5 g1f3 b8c6 f1b5 b5c6 [end]', 'Token 11: Ply 6'],
    ['[start] <sog> <ball> [sep] Q2 A3 [end]', 'Token 3, <ball>: a plate appearance has ended'],
    [`${BATTER} [sep] Q3 [outs] 1 <out> (plate) <atbat> <newbatter> [end]`, 'the line ends within a verb'],
    [`${BATTER} [sep] Q1 outs 1 [end]`, '"outs" is no argument of Q1'],
  ])('%s', (line, message) => expect(error(line)).toContain(message));

  it('are told with file and line, after the lines before them were counted', async () => {
    const good = '[start] e2e4 [sep] Q5 A5 [end]';
    const checked = await checkQuestions(bytes(`${good}\n\n${good.replace('A5', 'A3')} \n`), 'x.txt', {
      mode: 'released',
    });
    expect(unwrap(checked).questions.winning).toEqual({ n: 2, agree: 1 });
    const failed = await checkQuestions(bytes(`${good}\n[start] e2e5 [sep] Q5 A5 [end]`), 'x.txt', {
      mode: 'released',
    });
    expect(failed).toMatchObject({ ok: false, error: { where: { file: 'x.txt', line: 2 } } });
    expect(!failed.ok && failed.error.message).toMatch(/^x\.txt, line 2: Token 2: /);
    expect(await checkQuestions(bytes('\n'), 'x.txt', { mode: 'released' })).toMatchObject({ ok: false });
  });
});

describe('questions that are made', () => {
  it.each(['chess', 'baseball'] as const)('of %s agree, read back as they were written, and repeat', (game) => {
    for (const mode of ['released', 'corrected'] as const) {
      const lines = made(game, mode);
      expect(lines.length).toBeGreaterThan(game === 'chess' ? 1000 : 550);
      for (const line of lines) {
        const parsed = unwrap(parseQuestion(QUESTIONS[game].format(line)));
        expect(parsed.line).toEqual(line);
        expect(QUESTIONS[game].agrees(parsed.line, mode)).toBe(true);
      }
      expect(made(game, mode)).toEqual(lines);
    }
  });

  it('fall where the authors’ do: kinds alike, chess from 15 plies on, baseball from 5 verbs', () => {
    for (const game of ['chess', 'baseball'] as const) {
      const lines = made(game, 'released');
      for (const { name } of QUESTIONS[game].forms) {
        const lengths = lines.filter(({ form }) => form === name).map(({ prefix }) => prefix.length);
        // Random games of chess seldom end, so that nearly every question finds its place.
        expect(Math.abs(lengths.length / (game === 'chess' ? 1200 : 600) - 1 / 3)).toBeLessThan(0.06);
        const [least, most] = game === 'baseball' ? [5, 609] : name === 'goal' ? [15, 74] : [15, 50];
        expect(Math.min(...lengths)).toBeGreaterThanOrEqual(least);
        expect(Math.max(...lengths)).toBeLessThanOrEqual(most);
        // Uniform: the mean lies in the middle of the range; baseball's games have about 485 verbs.
        const middle = game === 'baseball' ? 242 : (least + most) / 2;
        const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
        expect(Math.abs(mean / middle - 1)).toBeLessThan(0.1);
      }
    }
  });

  it('repeat the last verb in released mode, and follow the game in corrected', () => {
    const startsWith = (trace: Uint16Array, line: QuestionLine) =>
      line.prefix.every((event, i) => event === trace[i]) &&
      line.path!.every((event, i) => event === trace[line.prefix.length + i]);
    const corrected = made('baseball', 'corrected').filter(({ form }) => form === 'goal');
    for (const line of corrected) expect(baseballGames.some((trace) => startsWith(trace, line))).toBe(true);
    for (const line of made('baseball', 'released').filter(({ form }) => form === 'goal'))
      expect(line.path![0]).toBe(line.prefix.at(-1));
    // Released lines: strikes, balls and plate make 88 in 100 goals, since their values change most often.
    const often = corrected.filter(({ args }) => ['[strikes]', '[balls]', '[plate]'].includes(args[0])).length;
    expect(often / corrected.length).toBeGreaterThan(0.75);
  });

  it('become prompts, answers and candidates in tokens', () => {
    const { line, questions } = unwrap(parseQuestion('[start] e2e4 [sep] Q3 e4 P [end]'));
    const words = (ids: readonly number[]) => ids.map((id) => questions.vocabulary.tokens[id]).join(' ');
    const { prompt, answer, candidates } = questions.encode(line);
    expect(words(prompt)).toBe('[start] e2e4 [sep] Q3 e4');
    expect(words(answer)).toBe('P [end]');
    expect(words(candidates!)).toBe('. P N B R Q K p n b r q k');
    expect(questions.legalTokens(line.prefix)).toHaveLength(20);
    const goal = unwrap(
      parseQuestion(`${BATTER} [sep] Q3 [outs] 1 <out> (plate) <atbat> <newbatter> (id_101) <ball> <ball> [end]`),
    );
    expect(goal.questions.encode(goal.line).candidates).toBeNull();
    // ball, strike, foul, hit, advance, out
    expect(goal.questions.legalTokens(goal.line.prefix)).toHaveLength(6);
  });
});

describe('a question of one’s own', () => {
  const whoseTurn = {
    kind: 'state' as const,
    name: 'turn',
    indicator: 'Q9',
    takes: [],
    answers: () => ['A9', 'A10'],
    answer: (position: Position) => (position.turn === 0 ? 'A9' : 'A10'),
  };

  it('takes a spare indicator, and is made, read and checked as the others', () => {
    const questions = questionsOf(unwrap(withForm(chessQuestions, whoseTurn)));
    expect(spareIndicators(chessQuestions)).toContain('Q9');
    const line = unwrap(questions.read('[start] e2e4 [sep] Q9 A10 [end]'.split(' ')));
    expect(questions.agrees(line, 'released')).toBe(true);
    const lines = chessGames.map((trace, i) => questions.make(trace, { random: seededRandom(i), mode: 'released' }));
    expect(lines.filter((made) => made?.form === 'turn').length).toBeGreaterThan(40);
    for (const made of lines) if (made) expect(questions.agrees(made, 'released')).toBe(true);
  });

  it('is refused where it would be mistaken for another', () => {
    const refused = (change: object) => withForm(chessQuestions, { ...whoseTurn, ...change });
    expect(refused({ indicator: 'Q3' })).toMatchObject({ ok: false });
    expect(refused({ indicator: 'Q48' })).toMatchObject({ ok: false });
    expect(refused({ name: 'goal' })).toMatchObject({ ok: false });
    for (const name of ['random', 'legal-verbs', 'perplexity'])
      expect(refused({ name })).toMatchObject({
        error: { code: 'bad-form', message: expect.stringContaining(`"${name}"`) as string },
      });
    expect(refused({ answers: () => ['white'] })).toMatchObject({ ok: false });
  });
});

it('says which question tokens are left, be it many, one or none', () => {
  const spare = spareIndicators(chessQuestions);
  const taking = (indicators: readonly string[]): string => {
    const game = indicators.reduce(
      (grown, indicator) => unwrap(withForm(grown, { ...chessQuestions.forms[1], name: indicator, indicator })),
      chessQuestions,
    );
    const refused = withForm(game, { ...chessQuestions.forms[1], name: 'one more', indicator: 'Q3' });
    return refused.ok ? '' : refused.error.message;
  };
  expect(taking([])).toContain(`those are ${spare[0]} to ${spare.at(-1)}, without the ones in use`);
  expect(taking(spare.slice(1))).toContain(`the only one left is ${spare[0]}.`);
  expect(taking(spare)).toContain('all of them are in use');
});

it('knows both games by the names of their domains', () => {
  expect(QUESTIONS.chess.game).toBe(chess.name);
  expect(QUESTIONS.baseball.game).toBe(baseball.name);
});
