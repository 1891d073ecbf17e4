import { describe, expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { chess } from './chess.ts';
import { fenOf, parseFen } from './formats/fen.ts';
import { uciOf } from './formats/uci.ts';

describe('chess as a Domain', () => {
  it('applies an event without changing the state', () => {
    const start = chess.initial();
    const [e4] = unwrap(chess.traces.parse('e2e4'));
    const after = chess.apply(start, e4);
    expect(fenOf(start)).toBe(fenOf(chess.initial()));
    expect(fenOf(after)).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
    expect(() => chess.apply(after, e4)).toThrow(RangeError);
  });

  it('lists legal events in ascending order', () => {
    const legal = chess.legal(chess.initial());
    expect(legal).toEqual([...legal].sort((a, b) => a - b));
    expect(legal.map(uciOf).sort().join(' ')).toBe(
      'a2a3 a2a4 b1a3 b1c3 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g1f3 g1h3 g2g3 g2g4 h2h3 h2h4',
    );
  });

  it('tells every state variable a value among those it may have', () => {
    const state = unwrap(parseFen('r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1'));
    const values = new Map(chess.variables.map((variable) => [variable.name, variable.of(state)]));
    for (const variable of chess.variables) expect(variable.values).toContain(variable.of(state));
    expect(chess.variables.length).toBe(68);
    expect(['a8', 'e5', 'd5', 'e1', 'a1'].map((name) => values.get(name))).toEqual(['r', 'P', 'p', 'K', '.']);
    expect(['turn', 'castling', 'en passant', 'check'].map((name) => values.get(name))).toEqual([
      'White',
      'Kq',
      'd6',
      'no',
    ]);
    const castling = chess.variables.find(({ name }) => name === 'castling')!;
    expect(new Set(castling.values).size).toBe(16);
  });

  it('knows who leads and how a game ended', () => {
    const state = (fen: string) => unwrap(parseFen(fen));
    expect(chess.leader(chess.initial())).toBe('level');
    expect(chess.leader(state('4k3/8/8/8/8/8/8/4K2R w - - 0 1'))).toBe('first');
    expect(chess.leader(state('4kq2/8/8/8/8/8/8/4KNN1 w - - 0 1'))).toBe('second');
    expect(chess.outcome(chess.initial())).toBeNull();
  });

  it('reads and writes lines, and says which ply is wrong', () => {
    const line = 'e2e4 e7e5 g1f3';
    expect(chess.traces.format(unwrap(chess.traces.parse(line)))).toBe(line);
    expect(unwrap(chess.traces.parse('  \n')).length).toBe(0);
    expect(chess.traces.parse('e2e4 e7e5 f1f3')).toMatchObject({
      ok: false,
      error: { code: 'illegal-move', where: { ply: 3 } },
    });
    expect(chess.traces.parse('e2e4 e7e5 0000')).toMatchObject({
      ok: false,
      error: { code: 'not-uci', where: { ply: 3 } },
    });
    expect(chess.traces.parse('e2e4 e5')).toMatchObject({ ok: false, error: { code: 'not-uci', where: { ply: 2 } } });
    expect(chess.traces.parse('a b c d e f g h')).toMatchObject({ ok: false, error: { where: { ply: 1 } } });
  });
});
