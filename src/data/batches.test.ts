import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { unwrap } from '../base/result.ts';
import { chess } from '../domains/chess/chess.ts';
import { replay } from '../domains/chess/replay.ts';
import { rowsOf, type Batch } from '../base/batch.ts';
import { Batches } from './batches.ts';
import { Corpus } from './corpus.ts';

/** A knight goes out and back: legal at any length. */
const shuttle = unwrap(chess.traces.parse('g1f3 g8f6 f3g1 f6g8 '.repeat(40)));
const random = seededRandom('lengths');
const corpus = Corpus.from(Array.from({ length: 1003 }, () => shuttle.subarray(0, 10 + random.below(141))));
const uci = unwrap(chess.notation('uci'));
const rap = unwrap(chess.notation('rap:25'));
const options = { games: 8, seed: 3, context: 512 };

describe('Batches', () => {
  it('has every game exactly once in each epoch, the last ones in a smaller batch', () => {
    const batches = new Batches(corpus, uci, options);
    expect(batches.stepsPerEpoch).toBe(126);
    for (const epoch of [0, 1]) {
      const seen: number[] = [];
      for (let step = 0; step < 126; step++) seen.push(...batches.gamesOf(epoch * 126 + step));
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 1003 }, (_, i) => i));
    }
  });

  it('gives a step the same batch in whatever order steps are asked for', () => {
    const straight = new Batches(corpus, rap, options);
    const all: Batch[] = [];
    for (let step = 0; step < 300; step++) all.push(straight.batch(step));
    for (const step of [299, 0, 126, 125, 250, 17]) {
      expect(new Batches(corpus, rap, options).batch(step)).toEqual(all[step]);
      expect(straight.batch(step)).toEqual(all[step]);
    }
    const other = new Batches(corpus, rap, { ...options, seed: 4 });
    expect(Array.from({ length: 20 }, (_, step) => other.gamesOf(step))).not.toEqual(
      Array.from({ length: 20 }, (_, step) => straight.gamesOf(step)),
    );
  });

  it('orders games and draws piece names anew each epoch', () => {
    const one = Corpus.from([shuttle.subarray(0, 100)]);
    const batches = new Batches(one, rap, options);
    expect(batches.batch(0).tokens).not.toEqual(batches.batch(1).tokens);
    const whole = new Batches(corpus, uci, options);
    expect(whole.gamesOf(0)).not.toEqual(whole.gamesOf(126));
  });

  it('puts the notation’s tokens in the rows, one after another', () => {
    const batches = new Batches(corpus, uci, options);
    for (let step = 0; step < 20; step++) {
      const games = [...batches.gamesOf(step)].map((game) => corpus.trace(game));
      const expected = games.map((trace) => uci.encode(trace, { random: null, closed: true }));
      expect(rowsOf(batches.batch(step)).map((row) => [...row])).toEqual(expected);
    }
  });

  it('cuts games longer than the context and drops none', () => {
    const batches = new Batches(corpus, uci, { ...options, context: 100 });
    let rows = 0;
    for (let step = 0; step < batches.stepsPerEpoch; step++) {
      const cut = rowsOf(batches.batch(step));
      expect(Math.max(...cut.map(({ length }) => length))).toBeLessThanOrEqual(100);
      rows += cut.length;
    }
    expect(rows).toBe(1003);
  });

  it('puts games of all lengths together, so that steps teach alike', () => {
    const batches = new Batches(corpus, uci, options);
    const tokens = Array.from({ length: 125 }, (_, step) => batches.batch(step).tokens.length);
    const mean = tokens.reduce((sum, count) => sum + count) / tokens.length;
    const deviation = Math.sqrt(tokens.reduce((sum, count) => sum + (count - mean) ** 2, 0) / tokens.length);
    // Lengths are uniform: a deviation of 50% a game, of 18% the mean of eight; of nearly 50% where they are sorted.
    expect(deviation / mean).toBeGreaterThan(0.1);
    expect(deviation / mean).toBeLessThan(0.25);
  });

  it('has names of pieces read and not learned, where a run does not predict them', () => {
    const [learned, read] = [true, false].map((predictNames) => new Batches(corpus, rap, { ...options, predictNames }));
    const isName = (token: number): boolean => 'PNBRQK'.includes(rap.vocabulary.tokens[token]);
    for (let step = 0; step < 5; step++) {
      const { tokens, learn } = read.batch(step);
      expect(learned.batch(step)).toMatchObject({ tokens, learn: null });
      expect([...tokens].filter(isName).length).toBeGreaterThan(20);
      expect([...learn!]).toEqual(Array.from(tokens, (token) => (isName(token) ? 0 : 1)));
    }
    // Names are spelt out in every game of the oracle's, in evaluation too, and learned like all else.
    const oracle = new Batches(corpus, unwrap(chess.notation('ap')), { ...options, predictNames: false });
    expect(oracle.batch(0).learn).toBeNull();
  });

  it('tells for each token what was valid in its place, where the objective asks for it', () => {
    const named = unwrap(chess.notation('rap:40'));
    const real = Corpus.from(['e2e4 e7e5 g1f3', 'd2d4 d7d5', 'g1f3 g8f6 f3g1'].map((line) => unwrap(replay(line))));
    const at = { games: 2, seed: 3, context: 6 };
    const valid = new Batches(real, named, { ...at, objective: 'valid' });
    const next = new Batches(real, named, at);
    for (let step = 0; step < 4; step++) {
      const batch = valid.batch(step);
      expect({ ...batch, valid: null }).toEqual(next.batch(step));
      const words = batch.valid!.length / batch.tokens.length;
      expect(words).toBe(3);
      for (const [place, token] of batch.tokens.entries())
        expect((batch.valid![place * words + (token >> 5)] >> (token & 31)) & 1).toBe(1);
    }
    // What is no matter of the rules, a name or an end, is not forbidden where a move begins; where one stands, nothing is.
    const legal = new Batches(real, named, { ...at, objective: 'legal', legalWeight: 5 });
    const { tokens } = named.vocabulary;
    for (let step = 0; step < 4; step++) {
      const batch = legal.batch(step);
      const sets = valid.batch(step).valid!;
      expect(batch.validWeight).toBe(5);
      const spelling = (one: string): boolean => [...'PNBRQK', '</s>'].includes(one);
      let squares = 0;
      for (const [place, token] of batch.tokens.entries()) {
        if (tokens[token] === '<s>') squares = 0;
        const begins = squares % 2 === 0 && (place === 0 || !'PNBRQK'.includes(tokens[batch.tokens[place - 1]]));
        for (const [v, word] of tokens.entries()) {
          const [found, before] = [batch.valid!, sets].map((all) => (all[place * 3 + (v >> 5)] >> (v & 31)) & 1);
          if (tokens[token] === '<s>') continue;
          expect(found).toBe(spelling(tokens[token]) || (begins && spelling(word)) ? 1 : before);
        }
        if (/^[a-h][1-8]$/.test(tokens[token])) squares++;
      }
    }
  });

  it('tells in the place of each end square which piece moved, where that has a weight, and of castling nothing', () => {
    const named = unwrap(chess.notation('rap:40'));
    const castled = Corpus.from([unwrap(replay('e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 d7d6'))]);
    const at = { games: 1, seed: 3, context: 100 };
    const told = new Batches(castled, named, { ...at, pieceWeight: 0.5 }).batch(0);
    expect({ ...told, valid: null, validWeight: undefined }).toEqual({
      ...new Batches(castled, named, at).batch(0),
      validWeight: undefined,
    });
    expect(told.validWeight).toBe(0.5);
    const { tokens } = named.vocabulary;
    const sets = Array.from(told.tokens, (_, place) =>
      Array.from({ length: 96 }, (_, v) => v).filter((v) => (told.valid![place * 3 + (v >> 5)] >> (v & 31)) & 1),
    );
    const targets = sets.flatMap((set, place) =>
      set.length === 1 ? [`${tokens[told.tokens[place]]} ${tokens[set[0]]}`] : [],
    );
    expect(targets).toEqual(['e4 P', 'e5 P', 'f3 N', 'c6 N', 'c4 B', 'c5 B', 'd6 P']);
    expect(sets.filter(({ length }) => length === tokens.length)).toHaveLength(sets.length - targets.length);
  });
});
