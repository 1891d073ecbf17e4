import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import type { AnyDomain } from '../../../domains/domains.ts';
import { noughts } from '../../../domains/noughts/noughts.ts';
import { plainDomain } from '../../../domains/plain-domain.ts';
import { checkQuestions } from './check.ts';
import { askedIn, plainQuestions } from './plain-questions.ts';
import type { GoalMode, QuestionLine } from './question.ts';
import { parseQuestion, questionsFor, questionsOf } from './questions.ts';
import { ofOtherLines, randomBaselines, uniform } from '../asking/random-baselines.ts';

/** A game that nothing else in the project knows: two players take 1 to 3 of 21 in turn; whoever takes the last wins. */
const race = plainDomain<{ left: number; moves: number }>({
  name: 'race',
  title: 'Race to 21',
  initial: () => ({ left: 21, moves: 0 }),
  apply: ({ left, moves }, event) => ({ left: left - event - 1, moves: moves + 1 }),
  legal: ({ left }) => [0, 1, 2].filter((event) => event < left),
  events: ['1', '2', '3'],
  variables: [
    { name: 'taken', values: Array.from({ length: 22 }, (_, i) => `${i}`), of: ({ left }) => `${21 - left}` },
    { name: 'turn', values: ['one', 'two'], of: ({ moves }) => ['one', 'two'][moves % 2] },
    { name: 'begun', values: ['no', 'yes'], of: ({ moves }) => (moves > 0 ? 'yes' : 'no') },
  ],
  leader: ({ left, moves }) => (left % 4 !== 0 ? 'level' : moves % 2 === 1 ? 'first' : 'second'),
  outcome: ({ left, moves }) => (left > 0 ? null : `player ${moves % 2 === 1 ? 'one' : 'two'} wins`),
  description: 'Numbers drawn by chance.',
}) as AnyDomain;
const game = plainQuestions(race);
const questions = questionsOf(game);
const read = (text: string) => unwrap(questions.read(text.split(' ')));
const agrees = (text: string, mode: GoalMode = 'corrected') => questions.agrees(read(text), mode);

/** Taken, turn, begun and leader once more, from the tokens alone. */
function told(tokens: readonly string[]): Record<string, string> {
  const taken = tokens.reduce((sum, token) => sum + Number(token), 0);
  const mover = tokens.length % 2 === 1 ? 'A1' : 'A2';
  return {
    '[taken]': `${taken}`,
    '[turn]': mover === 'A1' ? 'two' : 'one',
    '[begun]': tokens.length > 0 ? 'yes' : 'no',
    winning: [1, 5, 9, 13, 17, 21].includes(taken) ? mover : 'A3',
  };
}

const games = [...race.invented!.games(200, 3)];
const lines = games.flatMap((trace, i) =>
  [0, 1, 2].flatMap((k) => questions.make(trace, { random: seededRandom(i, k), mode: 'released' }) ?? []),
);
const of = (form: string): QuestionLine[] => lines.filter((line) => line.form === form);
const tokensOf = (trace: Uint16Array) => race.traces.format(trace).split(' ');

describe('questions of a game that is written down plainly', () => {
  it('are made at every point, read back, and agree with the game counted anew', () => {
    expect(lines.length).toBeGreaterThan(500);
    for (const line of lines) {
      const text = questions.format(line);
      expect(read(text)).toEqual(line);
      expect(questions.agrees(line, 'released') && questions.agrees(line, 'corrected')).toBe(true);
      const expected = told(tokensOf(line.prefix));
      if (line.form === 'assignment') expect(line.answer).toBe(expected[line.args[0]]);
      if (line.form === 'winning') expect(line.answer).toBe(expected.winning);
    }
    for (const form of ['assignment', 'winning', 'goal']) expect(of(form).length).toBeGreaterThan(120);
    const lengths = of('winning').map(({ prefix }) => prefix.length);
    expect(Math.min(...lengths)).toBe(1);
    expect(of('winning').some(({ prefix }) => race.outcome(game.stateAfter(prefix)) !== null)).toBe(true);
  });

  it('have goals that the game reached five events on, and that did not hold before', () => {
    for (const { prefix, path, args } of of('goal')) {
      const whole = [...tokensOf(prefix), ...tokensOf(path!)];
      expect(tokensOf(path!)).toHaveLength(5);
      expect(games.some((trace) => tokensOf(trace).join(' ').startsWith(whole.join(' ')))).toBe(true);
      expect(told(whole)[args[0]]).toBe(args[1]);
      expect(told(tokensOf(prefix))[args[0]]).not.toBe(args[1]);
    }
    // Begun is "yes" after any event, so that it never changes again.
    expect(new Set(of('goal').map(({ args }) => args[0]))).toEqual(new Set(['[taken]', '[turn]']));
  });

  it('have no goals where a game is shorter than that', () => {
    const random = seededRandom('short');
    const five = Uint16Array.of(2, 2, 2, 2, 2);
    const goal = game.forms.find(({ kind }) => kind === 'goal')!;
    expect(game.drawLength(goal, 5, random)).toBeNull();
    expect(game.drawLength(goal, 6, random)).toBe(1);
    expect(game.drawGoal(five, 1, 'corrected', random)).toBeNull();
    expect(game.drawGoal(Uint16Array.of(0, ...five), 1, 'corrected', random)?.path).toEqual(five);
    expect(game.drawLength(game.forms[0], 0, random)).toBeNull();
  });

  it('can be written by hand, and wrong answers are told from right ones', () => {
    expect(agrees('[start] 3 2 [sep] Q1 [taken] 5 [end]')).toBe(true);
    expect(agrees('[start] 3 2 [sep] Q1 [taken] 6 [end]')).toBe(false);
    expect(agrees('[start] 3 2 [sep] Q2 A2 [end]')).toBe(true);
    expect(agrees('[start] 3 2 1 [sep] Q2 A3 [end]')).toBe(true);
    expect(agrees('[start] 3 2 [sep] Q3 [taken] 10 1 1 1 1 1 [end]')).toBe(true);
    expect(agrees('[start] 3 2 [sep] Q3 [turn] one 1 1 1 1 1 [end]')).toBe(false);
  });

  it.each([
    ['[start] 3 4 [sep] Q2 A3 [end]', 'Token 3: Event 2, "4", is no event of this game'],
    ['[start] 3 [sep] Q4 A3 [end]', 'Token 4: "Q4" asks nothing known of race'],
    ['[start] 3 [sep] Q1 [total] 3 [end]', '"[total]" is no argument of Q1; it takes one of [taken] [turn] [begun]'],
    ['[start] 3 [sep] Q1 [turn] 3 [end]', '"3" is no answer to Q1; it takes one of one two'],
    ['[start] 3 [sep] Q3 [taken] 5 1 1 [end]', 'the answer tells 2 of the 5 verbs'],
    ['[start] 3 3 3 3 3 3 [sep] Q3 [taken] 21 1 1 1 1 1 [end]', 'Token 15: Event 10, "1": the game is over'],
  ])('%s', (text, message) => {
    const parsed = questions.read(text.split(' '));
    expect(!parsed.ok && parsed.error.message).toContain(message);
  });

  it('give candidates, legal tokens, and a symbolic program that stays where it is at what the rules forbid', () => {
    const words = (ids: readonly number[]) => ids.map((id) => questions.vocabulary.tokens[id]).join(' ');
    const { prompt, answer, candidates } = questions.encode(read('[start] 3 2 [sep] Q1 [turn] one [end]'));
    expect([words(prompt), words(answer), words(candidates!)]).toEqual([
      '[start] 3 2 [sep] Q1 [turn]',
      'one [end]',
      'one two',
    ]);
    const legalAfter = (text: string) => words(questions.legalTokens(read(`[start] ${text} [sep] Q2 A3 [end]`).prefix));
    expect(legalAfter('3 3 3 3 3 3 1')).toBe('1 2');
    expect(legalAfter('3 3 3 3 3 3 3')).toBe('[end]');
    expect(game.stateAfter(Uint16Array.of(2, 2, 2, 2, 2, 2, 1), Uint16Array.of(2, 0))).toEqual({ left: 0, moves: 8 });
    expect(game.isLegalPath({ left: 2, moves: 9 }, Uint16Array.of(0, 1))).toBe(false);
    expect(game.isLegalPath({ left: 3, moves: 9 }, Uint16Array.of(0, 1))).toBe(true);
    expect(questions.begins('3')).toBe(true);
    expect(questions.begins('[sep]')).toBe(false);
  });

  it('are checked by the file, beside games of the lab where both are given', async () => {
    async function* bytes() {
      yield new TextEncoder().encode(
        `${lines.map((line) => questions.format(line)).join('\n')}\n[start] b2 [sep] Q2 A1 [end]\n[start] b2 [sep] Q2 A2 [end]\n`,
      );
    }
    const both = [questions, unwrap(questionsFor('noughts'))];
    const { questions: counted } = unwrap(await checkQuestions(bytes(), 'x', { mode: 'corrected', games: both }));
    expect(counted.assignment).toEqual({ n: of('assignment').length, agree: of('assignment').length });
    expect(counted.goal).toEqual({ n: of('goal').length, agree: of('goal').length });
    expect(counted.winning).toEqual({ n: of('winning').length + 2, agree: of('winning').length + 1 });
  });

  it('are refused to a game without the notation or without the tokens', () => {
    const without = { ...race, notation: noughts.notation };
    expect(askedIn(without)).toMatchObject({ ok: false, error: { code: 'no-questions' } });
    const refused = askedIn(without);
    expect(!refused.ok && refused.error.message).toContain('it has no token [taken]');
    expect(() => plainQuestions({ ...race, notation: () => race.notation('uci') })).toThrow('notation "splat"');
  });
});

describe('questions of noughts and crosses', () => {
  it('come with the domain, without a file of their own', () => {
    const { line, questions: found } = unwrap(parseQuestion('[start] b2 a1 b3 [sep] Q1 [b3] X [end]'));
    expect(found.game).toBe('noughts');
    expect(found.agrees(line, 'corrected')).toBe(true);
    const own = [{ name: 'whose turn', indicator: 'Q9', expression: 'turn' }];
    expect(unwrap(questionsFor('noughts', own)).forms.map(({ name }) => name)).toContain('whose turn');
    expect(questionsFor('draughts')).toMatchObject({ ok: false, error: { code: 'unknown-domain' } });
  });

  it('are read where the line begins as theirs, and a line that begins no game hears how games begin', () => {
    const message = (text: string) => {
      const parsed = parseQuestion(text);
      return parsed.ok ? '' : parsed.error.message;
    };
    expect(message('[start] hello [sep] Q2 A1 [end]')).toMatch(/<sog> \(baseball\), a1 or the like \(noughts\)/);
    expect(message('[start] b2 b2 [sep] Q2 A1 [end]')).toContain('Token 3: Event 2, "b2": the rules do not allow it');
  });
});

describe('random answers', () => {
  it('score what is worked out by hand', () => {
    const hand = [
      '[start] 3 [sep] Q1 [turn] two [end]',
      '[start] 3 1 2 [sep] Q1 [turn] two [end]',
      '[start] 3 1 [sep] Q1 [turn] one [end]',
      '[start] 3 [sep] Q1 [begun] yes [end]',
      '[start] 3 [sep] Q2 A3 [end]',
    ].map(read);
    // Turn: each "two" finds one of two others alike, the "one" none: 1 of 3 lines. Begun stands alone: one half.
    expect(ofOtherLines(questions, hand, 'assignment')).toBeCloseTo((2 * 0.5 + 0 + 0.5) / 4, 10);
    expect(uniform(questions, hand, 'assignment')).toBeCloseTo(0.5, 10);
    const baselines = randomBaselines(questions, hand);
    expect(baselines.winning).toBeCloseTo(1 / 3, 10);
    // Three moves everywhere, of 4 + 22 + 3 + 2 + 2 + 32 tokens.
    expect(baselines.legal).toBeCloseTo(3 / 65, 10);
    expect(baselines.goal).toBeNull();
    expect(randomBaselines(questions, []).assignment).toBeNull();
  });

  it('reach goals as often as five verbs drawn alone do', () => {
    const ones = ['1 1 1 1 1', '1 1 1 1 1'].map((path) => read(`[start] 3 [sep] Q3 [taken] 8 ${path} [end]`));
    expect(randomBaselines(questions, ones).goal).toBe(1);
    const never = ['2 1 1 1 1', '1 1 1 1 2'].map((path) => read(`[start] 3 [sep] Q3 [taken] 21 ${path} [end]`));
    expect(randomBaselines(questions, never).goal).toBe(0);
  });
});
