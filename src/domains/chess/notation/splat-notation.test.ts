import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { slotsOf } from '../../../base/slot-grammar.ts';
import { chess } from '../chess.ts';
import { REACH } from '../rules/geometry.ts';
import { packMove } from '../rules/move.ts';
import { replay } from '../replay.ts';
import { Position } from '../rules/position.ts';
import { randomGame } from '../rules/random-game.ts';
import { SPLAT_SLOT_KINDS } from './splat-notation.ts';
import { uciOf } from '../formats/uci.ts';

const splat = unwrap(chess.notation('splat'));
const { vocabulary } = splat;
const ids = (line: string): number[] => line.split(' ').map((token) => vocabulary.id(token) ?? 9999);

const game = (seed: number, plies: number) => randomGame(seededRandom('splat', seed), plies);

describe('the vocabulary', () => {
  it('has 4,390 tokens, each once: 4,032 pairs of squares, 176 promotions, 64 squares, 13 pieces, 105 others', () => {
    const { tokens } = vocabulary;
    expect(vocabulary.size).toBe(4390);
    expect(new Set(tokens).size).toBe(4390);
    const like = (pattern: RegExp) => tokens.filter((token) => pattern.test(token)).length;
    expect(like(/^[a-h][1-8][a-h][1-8]$/)).toBe(4032);
    expect(like(/^[a-h][27][a-h][18][qrbn]$/)).toBe(176);
    expect(like(/^[a-h][1-8]$/)).toBe(64);
    expect(like(/^[.PNBRQKpnbrqk]$/)).toBe(13);
    expect(like(/^(\[[a-z]+\]|[QA]\d+)$/)).toBe(105);
    for (const token of ['[start]', '[sep]', '[end]', 'Q3', 'Q5', 'Q8', 'A3', 'A4', 'A5'])
      expect(tokens[vocabulary.id(token)!]).toBe(token);
  });

  it('has a token for each of the 1,792 pairs that some piece could join', () => {
    let pairs = 0;
    for (let from = 0; from < 64; from++)
      for (let to = 0; to < 64; to++)
        if (REACH[from * 64 + to]) {
          pairs++;
          expect(vocabulary.id(uciOf(packMove(from, to)))).toBeTypeOf('number');
        }
    expect(pairs).toBe(1792);
  });
});

describe('the notation', () => {
  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(300), fc.boolean(), (seed, plies, closed) => {
        const trace = game(seed, plies);
        const tokens = splat.encode(trace, { random: null, closed });
        expect(tokens).toHaveLength(trace.length + (closed ? 2 : 1));
        expect(tokens.slice(1, trace.length + 1).map((id) => vocabulary.tokens[id])).toEqual(Array.from(trace, uciOf));
        expect(unwrap(splat.decode(tokens))).toEqual(trace);
      }),
      { numRuns: 40 },
    );
  });

  it('refuses what is no game, and says where', () => {
    const message = (line: string) => {
      const decoded = splat.decode(ids(line));
      return decoded.ok ? '' : decoded.error.message;
    };
    expect(message('e2e4')).toContain('[start]');
    expect(message('[start] e2e4 e2e4')).toContain('Ply 2');
    expect(message('[start] e2e4 Q3')).toBe('Token 3: Q3 stands where a move should.');
    expect(message('[start] e2e4 nothing')).toBe('Token 3: token 9999 stands where a move should.');
    expect(message('[start] e2e4 [end] e7e5')).toContain('follows the end of the game (token 4)');
    expect(unwrap(splat.decode(ids('[start] e2e4 [end] [pad]')))).toEqual(unwrap(replay('e2e4')));
  });

  it('allows at every ply the legal moves, and the end at the end', () => {
    const trace = game(3, 120);
    const tokens = splat.encode(trace, { random: null, closed: true });
    const sets = splat.valid(trace, tokens);
    const words = Math.ceil(4390 / 32);
    expect(sets).toHaveLength(tokens.length * words);
    const allowed = (row: number) =>
      vocabulary.tokens.filter((_, v) => ((sets[row * words + (v >> 5)] >> (v & 31)) & 1) !== 0).sort();
    expect(allowed(0)).toEqual(['[start]']);
    expect(allowed(tokens.length - 1)).toEqual(['[end]']);
    const position = Position.initial();
    for (const [ply, move] of trace.entries()) {
      expect(allowed(ply + 1)).toEqual(position.legalMoves().map(uciOf).sort());
      position.play(move);
    }
    expect(splat.valid(trace, tokens.slice(0, 9))).toEqual(sets.slice(0, 9 * words));
    expect(() => splat.valid(trace, [...tokens, vocabulary.pad])).toThrow();
  });

  it('tells whose move each token is', () => {
    const { slots } = slotsOf(splat.slots, ids('[start] e2e4 e7e5 g1f3 [sep] Q3 e4 P [end]'));
    expect(Array.from(slots, (slot) => SPLAT_SLOT_KINDS[slot]).join(', ')).toBe(
      'special, white move, black move, white move, special, special, square, piece, special',
    );
  });
});
