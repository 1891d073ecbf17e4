import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { baseball } from '../../../domains/baseball/baseball.ts';
import { simulateGames } from '../../../domains/baseball/simulator/game.ts';
import { chess } from '../../../domains/chess/chess.ts';
import { parseFen } from '../../../domains/chess/formats/fen.ts';
import type { Domain } from '../../../domains/domain.ts';
import { baseballQuestions } from '../questions/baseball-questions.ts';
import { chessQuestions } from '../questions/chess-questions.ts';
import { meaningOf } from './meaning.ts';
import { readExpression } from './custom-form.ts';
import { parseExpression } from './parser.ts';
import { scopeOf, type Meaning } from './scope.ts';

function meaning<State>(domain: Domain<State>, text: string): Meaning<State> {
  return unwrap(meaningOf(unwrap(parseExpression(text)), scopeOf(domain)));
}

/** Top of the third, away leads 2 to 1, one out, two balls, no strikes; (id_101) bats, (id_100) is on second. */
const DIAMOND = Object.assign(baseball.initial(), { inning: 3, half: 0, outs: 1, balls: 2, away: 2, home: 1 });
DIAMOND.bases.set([1, -1, 0, -1]);
/** Fool's mate but one: White has moved g4, Black's queen gives mate on h4. */
const MATED = unwrap(parseFen('rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'));

describe('what texts mean', () => {
  it.each<[string, unknown]>([
    ['7', 7],
    ['outs', 1],
    ['[outs]', 1],
    ['[ outs ]', 1],
    ['outs + 2 * balls', 5],
    ['(outs + 2) * balls', 6],
    ['10 - 3 - 2', 5],
    ['-outs + 3', 2],
    ['- - outs', 1],
    ['2 - -1', 3],
    ['-2 * 3', -6],
    ['outs = 1', true],
    ['outs != 1', false],
    ['outs<1', false],
    ['outs <= 1 and outs >= 1 and not outs > 1', true],
    ['not outs = 2', true],
    ['not outs = 1 or balls = 2', true],
    ['not (outs = 1 or balls = 2)', false],
    ['outs = 1 or outs = 2 and balls = 0', true],
    ['(outs = 1 or outs = 2) and balls = 0', false],
    ['outs + 1 = balls', true],
    ['(outs = 1) = (balls = 3)', false],
    ['plate', '(id_101)'],
    ['plate = "(id_101)"', true],
    ['first = “___”', true],
    ['first = third', true],
    ['second = "___"', false],
    ['empty(first)', true],
    ['empty(first, third)', true],
    ['empty(first, second)', false],
    ['taken(plate, first, second, third)', 2],
    ['count("___")', 2],
    ['count("(id_100)", "(id_101)")', 2],
    ['any("(id_105)")', false],
    ['any("(id_105)", "(id_100)")', true],
    ['least(9, home, away)', 1],
    ['most(0, home - away)', 0],
    ['most(home, away)', 2],
    ['leader', 'first'],
    ['leader = "first" and away > home', true],
    ['if outs = 0 then "none" else if outs = 1 then "one" else "more"', 'one'],
    ['if outs = 0 then 1 else 2 + 3', 5],
    ['(if outs = 0 then 1 else 2) + 3', 5],
    ['2 * if outs = 1 then 4 else 5', 8],
    ['if first = "___" then balls = 2 else outs = 0', true],
  ])('%s is %s in baseball', (text, value) => expect(meaning(baseball, text).of(DIAMOND)).toBe(value));

  it.each<[string, unknown]>([
    ['e5', 'p'],
    ['e5 = "p"', true],
    ['e4 = e3', true],
    ['empty(e4)', true],
    ['turn', 'White'],
    ['check', true],
    ['check = "yes"', true],
    ['"no" != check', true],
    ['if check then "no" else castling', 'no'],
    ['castling', 'KQkq'],
    ['[en passant] = "-"', true],
    ['count("Q", "q")', 2],
    ['count("P") - count("p")', 0],
    ['count(".")', 32],
    ['legal', 0],
    ['legal = 0 and check', true],
    ['leader', 'level'],
  ])('%s is %s in chess', (text, value) => expect(meaning(chess, text).of(MATED)).toBe(value));

  it('are cut where a variable ends', () => {
    const beyond = Object.assign(baseball.initial(), { balls: 7, away: 44 });
    expect(meaning(baseball, 'balls').of(beyond)).toBe(5);
    expect(meaning(baseball, 'away').of(beyond)).toBe(29);
  });
});

describe('what is wrong with texts', () => {
  it.each<[string, string, number, number, string]>([
    ['', 'unfinished', 0, 0, 'Write a value'],
    ['   ', 'unfinished', 3, 3, 'Something is missing here'],
    ['outs +', 'unfinished', 6, 6, 'Something is missing here'],
    ['(outs', 'unfinished', 5, 5, 'A ) is missing'],
    ['outs)', 'unexpected', 4, 5, 'There is no ('],
    ['outs balls', 'unexpected', 5, 10, 'could end before "balls"'],
    ['outs = = 1', 'unexpected', 7, 8, 'belongs here, before "="'],
    ['0 < outs < 2', 'unexpected', 9, 10, 'a < b and b < c'],
    ['outs = not balls', 'unexpected', 7, 10, 'Put round brackets'],
    ['if outs = 1 then 2', 'unfinished', 18, 18, '"else" belongs here'],
    ['if outs = 1, 2', 'unexpected', 11, 12, '"then" belongs here'],
    ['outs == 1', 'unknown-sign', 5, 7, 'Write = in place of =='],
    ['outs = 1 && balls = 2', 'unknown-sign', 9, 11, 'Write and'],
    ['outs / 2', 'unknown-sign', 5, 6, '/ means nothing here'],
    ['outs = 1;', 'unknown-sign', 8, 9, '; means nothing here'],
    ['outs + 😀', 'unknown-sign', 7, 9, '😀 means nothing'],
    ['outs + 1234567', 'too-large', 7, 14, '6 digits'],
    ['plate = "x', 'unclosed', 8, 10, 'not closed'],
    ['[outs', 'unclosed', 0, 5, 'write ]'],
    ['1 + inings', 'unknown-name', 4, 10, '"inings" is no variable of baseball; there are inning, half'],
    ['Outs', 'unknown-name', 0, 4, '"Outs" is written outs'],
    ['[leader]', 'unknown-name', 0, 8, 'no variable'],
    ['plate = (id_100)', 'unknown-name', 9, 15, '"(id_100)" is a value of plate; put it in quotes.'],
    ['outs + plate', 'other-kind', 7, 12, 'A number belongs here, and this is a text'],
    ['outs and balls', 'other-kind', 0, 4, 'What stands before "and" must be true or false'],
    ['not outs', 'other-kind', 4, 8, 'What follows "not"'],
    ['outs = plate', 'other-kind', 0, 12, 'compares a number with a text'],
    ['if outs then 1 else 2', 'other-kind', 3, 7, 'What follows "if"'],
    ['if outs = 1 then 1 else "x"', 'other-kind', 0, 27, 'After "then" comes a number'],
    ['1 + (plate = "nobody")', 'never-equal', 5, 21, 'never equal'],
    ['count()', 'bad-call', 0, 7, 'Something belongs between'],
    ['count(outs)', 'bad-call', 6, 10, 'as in count("outs")'],
    ['count("Q")', 'unknown-value', 6, 9, '"Q" is never on plate to third'],
    ['count("___", 3)', 'unknown-value', 13, 14, '"3" is never on plate to third'],
    ['sum(outs)', 'bad-call', 0, 9, 'There is no "sum(...)"'],
    ['empty(outs)', 'bad-call', 6, 10, 'outs is never empty; plate, first, second, third can be'],
    ['taken(fist)', 'unknown-name', 6, 10, '"fist" is no variable'],
    ['constructor(1)', 'bad-call', 0, 14, 'There is no'],
    [`${'999999*'.repeat(9)}1`, 'too-large', 0, 13, 'thousand million'],
    [`${'('.repeat(60)}1`, 'too-deep', 40, 41, 'More than 40'],
    ['x'.repeat(501), 'too-long', 500, 501, '501 characters'],
    ['home - away', 'too-many-answers', 0, 11, 'any number from -29 to 29'],
  ])('%s: %s at %i', (text, code, at, end, expected) => {
    const read = readExpression(text, baseballQuestions);
    expect(read).toMatchObject({ ok: false, error: { code, at, end } });
    expect(!read.ok && read.error.message).toContain(expected);
  });

  it('is told with what was meant', () => {
    const message = (text: string) => {
      const read = readExpression(text, chessQuestions);
      return read.ok ? '' : read.error.message;
    };
    expect(message('turn = White')).toBe('"White" is a value of turn; put it in quotes.');
    expect(message('en = 1')).toContain('[en passant], check');
    const id = readExpression('count("(ID_100)")', baseballQuestions);
    expect(!id.ok && id.error.message).toBe('"(ID_100)" is written "(id_100)".');
    expect(message('e4 = "White"')).toContain('never equal');
    expect(message('[En Passant]')).toContain('is written [en passant]');
  });
});

const pieces = fc.constantFrom(
  ...[
    'outs',
    'balls',
    'home',
    'plate',
    'first',
    '[second]',
    'legal',
    'leader',
    '"___"',
    '"(id_100)"',
    '"first"',
    '0',
    '1',
    '12',
  ],
  ...['+', '-', '*', '=', '!=', '<', '<=', 'and', 'or', 'not', 'if', 'then', 'else', '(', ')', ',', ' ', '[', '"'],
  ...['count(', 'any(', 'taken(', 'empty(', 'least(', 'most('],
);
const GAME = [...simulateGames(1, 3)][0];
const STATES = [0, 1, 5, 100, 250].map((events) => baseballQuestions.stateAfter(GAME.subarray(0, events)));

/** Reads a text; where it means something, its answer in some states must be among its answers. */
function holds(text: string): boolean {
  const read = readExpression(text, baseballQuestions);
  if (read.ok) for (const state of STATES) expect(read.value.tokens).toContain(read.value.of(state));
  else {
    expect(read.error.at).toBeGreaterThanOrEqual(0);
    expect(read.error.end).toBeGreaterThanOrEqual(read.error.at);
    expect(read.error.end).toBeLessThanOrEqual(text.length);
    expect(read.error.message).toMatch(/\.$/);
  }
  return read.ok;
}

describe('any text', () => {
  it('is read or refused, without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => void holds(text)),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (words) => void holds(words.join(' '))),
      { numRuns: 4000 },
    );
    for (const text of [
      'not '.repeat(125),
      '-'.repeat(500),
      '1+'.repeat(249) + '1',
      'if '.repeat(160),
      '('.repeat(500),
    ])
      holds(text);
    expect(holds(`${'outs*0+'.repeat(71)}1`)).toBe(true);
  });

  /** Texts of the language, written by its grammar with hardly any brackets. */
  const { number, truth } = fc.letrec<{ number: string; truth: string }>((tie) => ({
    number: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'text' },
      fc.constantFrom('outs', 'balls', 'strikes', 'half', '0', '1', '2', '3'),
      fc.tuple(tie('number'), fc.constantFrom('+', '-', '*'), tie('number')).map((parts) => parts.join(' ')),
      tie('number').map((inner) => `(${inner})`),
      fc.tuple(tie('truth'), tie('number'), tie('number')).map(([a, b, c]) => `(if ${a} then ${b} else ${c})`),
    ),
    truth: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'text' },
      fc.tuple(tie('number'), fc.constantFrom('=', '!=', '<', '<=', '>', '>='), tie('number')).map((p) => p.join(' ')),
      fc.tuple(tie('truth'), fc.constantFrom('and', 'or'), tie('truth')).map((parts) => parts.join(' ')),
      tie('truth').map((inner) => `not (${inner})`),
    ),
  }));

  /** JavaScript ranks the same signs alike, but for "not", which is written with brackets here. */
  function byJavaScript(text: string, state: (typeof STATES)[number]): unknown {
    const script = text
      .replace(/\(if /g, '((')
      .replace(/ then /g, ') ? ')
      .replace(/ else /g, ' : ')
      .replace(/ and /g, ' && ')
      .replace(/ or /g, ' || ')
      .replace(/not /g, '! ')
      .replace(/ = /g, ' === ')
      .replace(/ != /g, ' !== ');
    return new Function('outs', 'balls', 'strikes', 'half', `return ${script}`)(
      ...[state.outs, state.balls, state.strikes, state.half],
    );
  }

  it('means what JavaScript makes of it', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.oneof(number, truth), (text) => {
        const tree = parseExpression(text);
        if (!tree.ok) return void expect(tree.error.code).toBe('too-long');
        const meant = meaningOf(tree.value, scopeOf(baseball));
        if (!meant.ok) return void expect(meant.error.code).toBe('too-large');
        for (const state of STATES) {
          const value = meant.value.of(state);
          // Zero has a sign in JavaScript.
          const unsigned = (told: unknown) => (typeof told === 'number' ? told + 0 : told);
          expect(unsigned(value)).toBe(unsigned(byJavaScript(text, state)));
          if (meant.value.kind !== 'number') continue;
          const { least, most, values } = meant.value.range;
          expect(value).toBeGreaterThanOrEqual(least);
          expect(value).toBeLessThanOrEqual(most);
          if (values) expect(values.some((possible) => possible === value)).toBe(true);
        }
        compared++;
      }),
      { numRuns: 2000 },
    );
    expect(compared).toBeGreaterThan(1500);
  });

  it('holds in the states of random games of chess', () => {
    const random = seededRandom('own language');
    const position = chess.initial();
    for (let ply = 0; ply < 60; ply++) {
      const legal = position.legalMoves();
      if (legal.length === 0) break;
      expect(meaning(chess, 'legal').of(position)).toBe(legal.length);
      expect(meaning(chess, 'count("q")').of(position)).toBe(
        [...position.board].filter((piece) => piece === 13).length,
      );
      expect(meaning(chess, 'check').of(position)).toBe(position.inCheck());
      position.play(legal[random.below(legal.length)]);
    }
  });
});
