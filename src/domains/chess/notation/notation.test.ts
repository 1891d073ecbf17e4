import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import type { Notation } from '../../domain.ts';
import { notationNamed } from './notation.ts';
import { replay, uciLine } from '../replay.ts';
import { vocabulary } from './vocabulary.ts';

// Castling on both wings by both sides would need two games; this one has O-O, O-O-O, en passant and a promotion.
const GAME = 'e2e4 d7d5 e4e5 f7f5 e5f6 d8d6 f6g7 c8e6 g7h8n b8c6 g1f3 e8c8 f1e2 d6f4 e1g1 f4f3 e2f3';
const AP =
  '<s> P e2 e4 P d7 d5 P e4 e5 P f7 f5 P e5 f6 Q d8 d6 P f6 g7 B c8 e6 P g7 h8 n N b8 c6 N g1 f3 e8 c8 B f1 e2 Q d6 f4 e1 g1 Q f4 f3 B e2 f3 </s>';

const named = (name: string): Notation => unwrap(notationNamed(name));
const text = (tokens: number[]): string => tokens.map((id) => vocabulary.tokens[id]).join(' ');
const ids = (expected: string): number[] => expected.split(' ').map((token) => vocabulary.id(token)!);
const trace = unwrap(replay(GAME));

describe('vocabulary', () => {
  it("has the testbed's 77 tokens in the contract's order", () => {
    expect(vocabulary.size).toBe(77);
    expect(vocabulary.tokens.slice(0, 11)).toEqual(['<pad>', '<s>', '</s>', 'P', 'N', 'R', 'B', 'Q', 'K', 'a1', 'b1']);
    expect(vocabulary.tokens.slice(-5)).toEqual(['h8', 'q', 'r', 'b', 'n']);
    expect(new Set(vocabulary.tokens).size).toBe(77);
    vocabulary.tokens.forEach((token, id) => expect(vocabulary.id(token)).toBe(id));
    expect(vocabulary.id('k')).toBeUndefined();
  });

  it('splits text into squares, piece names and promotions', () => {
    const [{ pattern }] = named('uci').tokenizerRules(false)!.splits;
    const tokenize = (text: string) => text.match(new RegExp(pattern, 'g')) ?? [];
    expect(tokenize('b7b8b b1c3')).toEqual(['b7', 'b8', 'b', 'b1', 'c3']);
    expect(tokenize('Pe2e4 Ng1f3 e1g1')).toEqual(['P', 'e2', 'e4', 'N', 'g1', 'f3', 'e1', 'g1']);
    expect(tokenize('b7a8q  Bb1c2')).toEqual(['b7', 'a8', 'q', 'B', 'b1', 'c2']);
    expect(tokenize('b7b8bb1c3')).toEqual(['b7', 'b8', 'b', 'b1', 'c3']);
    expect(tokenize(' -- 0000 ')).toEqual([]);
  });
});

describe('notations', () => {
  it('write evaluation text: names for ap alone', () => {
    const evaluation = (name: string) => text(named(name).encode(trace, { random: null, closed: true }));
    expect(evaluation('ap')).toBe(AP);
    const bare = AP.replace(/ [PNBRQK](?= )/g, '');
    expect(evaluation('uci')).toBe(bare);
    expect(evaluation('rap:15')).toBe(bare);
    expect(evaluation('rap:100')).toBe(bare);
    expect(text(named('uci').encode(trace.subarray(0, 1), { random: null, closed: false }))).toBe('<s> e2 e4');
  });

  it('write a name before P percent of the moves in training', () => {
    const random = seededRandom('rap');
    expect(text(named('rap:100').encode(trace, { random, closed: true }))).toBe(AP);
    expect(text(named('rap:0').encode(trace, { random, closed: true }))).toBe(AP.replace(/ [PNBRQK](?= )/g, ''));
    let names = 0;
    const games = 4000;
    for (let i = 0; i < games; i++)
      names += named('rap:15')
        .encode(trace, { random, closed: false })
        .filter((id) => id >= 3 && id <= 8).length;
    const moves = games * (trace.length - 2);
    expect(Math.abs(names / moves - 0.15)).toBeLessThan(5 * Math.sqrt((0.15 * 0.85) / moves));
  });

  it('mute piece names where evaluation has none', () => {
    expect(named('uci').mutedInEvaluation).toEqual(ids('P N R B Q K'));
    expect(named('rap:25').mutedInEvaluation).toEqual(ids('P N R B Q K'));
    expect(named('ap').mutedInEvaluation).toEqual([]);
  });

  it('read back what they wrote', () => {
    for (const name of ['uci', 'rap:0', 'rap:40', 'rap:100', 'ap'])
      for (const closed of [true, false]) {
        const tokens = named(name).encode(trace, { random: seededRandom(name), closed });
        expect(uciLine(unwrap(named(name).decode([...tokens, 0, 0])))).toBe(GAME);
        expect(tokens.length).toBeLessThanOrEqual(named(name).maxTokens(trace.length));
      }
  });

  it.each([
    ['uci', '<s> e2 e4 e7 e4', 2],
    ['uci', '<s> e2 e4 e7', 2],
    ['uci', '<s> P e2 e4', 1],
    ['uci', '<s> e2 e4 q', 1],
    ['uci', '<s> e2 e4 </s> e7', 2],
    ['uci', '<s> e2 <s>', 1],
    ['rap:25', '<s> e2 e4 N e7 e5', 2],
    ['ap', '<s> P e2 e4 e7 e5', 2],
    ['ap', AP.replace('e1 g1', 'K e1 g1'), 15],
  ])('%s names the first wrong move of %s', (name, expected, ply) => {
    const decoded = named(name).decode(ids(expected));
    expect(decoded).toMatchObject({ ok: false, error: { where: { ply } } });
  });

  it('refuse tokens without a begin token and names that do not exist', () => {
    expect(named('uci').decode(ids('e2 e4'))).toMatchObject({ ok: false, error: { code: 'no-begin' } });
    expect(named('uci').decode([])).toMatchObject({ ok: false });
    for (const name of ['rap', 'rap:101', 'rap:-1', 'san', '']) expect(notationNamed(name).ok).toBe(false);
  });
});
