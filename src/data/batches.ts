import { batchOf, type Batch } from '../base/batch.ts';
import { seededRandom, shuffle } from '../base/random.ts';
import type { Notation } from '../domains/domain.ts';
import type { Corpus } from './corpus.ts';

export interface BatchOptions {
  /** Games in a batch. */
  games: number;
  seed: number;
  /** Most tokens in a row; longer games are cut, never dropped. */
  context: number;
  /** With "valid", batches tell for each token what the rules allow in its place. */
  objective?: 'next' | 'valid';
}

/** Games are sorted by length within pools of this many batches: little padding, yet different neighbours each epoch. */
const POOL = 16;

/**
 * The batches of a run, a pure function of (seed, step): a run resumes at any step with nothing saved.
 * Each epoch has every game once, in a new order; batches hold games of similar length and come in shuffled
 * order. Piece names are drawn again each epoch, from a stream of (seed, epoch, game), as the testbed's
 * training does. Where the games do not divide evenly, one batch of the epoch is smaller.
 */
export class Batches {
  readonly stepsPerEpoch: number;
  private epoch = -1;
  /** Game numbers of the current epoch, batch after batch. */
  private order: Uint32Array = new Uint32Array(0);
  /** [stepsPerEpoch] where the step's batch starts in `order`. */
  private starts: Uint32Array = new Uint32Array(0);

  constructor(
    private readonly corpus: Corpus,
    private readonly notation: Notation,
    private readonly options: BatchOptions,
  ) {
    if (corpus.length === 0) throw new RangeError('a corpus of no games has no batches');
    this.stepsPerEpoch = Math.ceil(corpus.length / options.games);
  }

  /** The epoch a step belongs to; both count from 0. */
  epochOf(step: number): number {
    return Math.floor(step / this.stepsPerEpoch);
  }

  /** The batch of a step, steps counting from 0. */
  batch(step: number): Batch {
    const { seed, context, objective } = this.options;
    const epoch = this.epochOf(step);
    const games = this.gamesOf(step);
    const rows = Array.from(games, (game) =>
      this.notation
        .encode(this.corpus.trace(game), { random: seededRandom('notation', seed, epoch, game), closed: true })
        .slice(0, context),
    );
    const batch = batchOf(rows);
    if (objective !== 'valid') return batch;
    const words = Math.ceil(this.notation.vocabulary.size / 32);
    const valid = new Int32Array(batch.tokens.length * words);
    games.forEach((game, row) =>
      valid.set(this.notation.valid(this.corpus.trace(game), rows[row]), batch.offsets[row] * words),
    );
    return { ...batch, valid };
  }

  /** The numbers of the games in a step's batch. */
  gamesOf(step: number): Uint32Array {
    this.enter(this.epochOf(step));
    const start = this.starts[step % this.stepsPerEpoch];
    // Only the order's last batch can be smaller, wherever the shuffle has put it.
    return this.order.subarray(start, start + this.options.games);
  }

  /** Events of the games in a step's batch. */
  eventsIn(step: number): number {
    const { offsets } = this.corpus;
    return this.gamesOf(step).reduce((sum, game) => sum + offsets[game + 1] - offsets[game], 0);
  }

  private enter(epoch: number): void {
    if (epoch === this.epoch) return;
    const { offsets, length } = this.corpus;
    const { order, starts } = epochOrder(length, (game) => offsets[game + 1] - offsets[game], this.options, epoch);
    this.starts = starts;
    this.order = order;
    this.epoch = epoch;
  }
}

/**
 * One pass over rows: each once, those of similar length together (sorted within pools of a few batches), the batches in
 * shuffled order. `order` holds row numbers, batch after batch; `starts` [batches] where a step's batch begins in it.
 * The last batch of `order` may be smaller, wherever the shuffle has put its start.
 */
export function epochOrder(
  rows: number,
  lengthOf: (row: number) => number,
  { games, seed }: { games: number; seed: number },
  epoch: number,
): { order: Uint32Array; starts: Uint32Array } {
  const random = seededRandom('order', seed, epoch);
  const order = shuffle(
    Uint32Array.from({ length: rows }, (_, row) => row),
    random,
  );
  const pool = POOL * games;
  for (let at = 0; at < order.length; at += pool) {
    order.subarray(at, at + pool).sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
  }
  const starts = shuffle(
    Uint32Array.from({ length: Math.ceil(rows / games) }, (_, batch) => batch * games),
    random,
  );
  return { order, starts };
}
