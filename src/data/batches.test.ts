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

  it('puts games together that waste less than a tenth on padding, where there is any', () => {
    const batches = new Batches(corpus, uci, options);
    let filled = 0;
    let all = 0;
    for (let step = 0; step < batches.stepsPerEpoch; step++) {
      const rows = rowsOf(batches.batch(step));
      filled += rows.reduce((sum, { length }) => sum + length, 0);
      all += rows.length * 16 * Math.ceil(Math.max(...rows.map(({ length }) => length)) / 16);
    }
    expect(1 - filled / all).toBeLessThan(0.1);
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
  });
});
