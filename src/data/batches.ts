import { batchOf, type Batch } from '../base/batch.ts';
import { seededRandom, shuffle } from '../base/random.ts';
import { LEGAL_WEIGHT, type Objective } from '../config/objectives.ts';
import type { Notation } from '../domains/domain.ts';
import type { Corpus } from './corpus.ts';
import { leaveSpelling } from './legal-sets.ts';
import { pieceSets } from './piece-sets.ts';

export interface BatchOptions {
  /** Games in a batch. */
  games: number;
  seed: number;
  /** Most tokens in a row; longer games are cut, never dropped. */
  context: number;
  /** With "valid" and "legal", batches tell for each token what the rules allow in its place. */
  objective?: Objective;
  /** With "legal", the weight of the semantic loss. */
  legalWeight?: number;
  /** False where the tokens that evaluation forbids, the names of pieces, are read and not learned. */
  predictNames?: boolean;
  /** With "next", the weight of the piece that moves as a second target behind its start square. */
  pieceWeight?: number;
}

/**
 * The batches of a run, a pure function of (seed, step): a run resumes at any step with nothing saved.
 * Each epoch has every game once, in a new order. Piece names are drawn again each epoch, from a stream of
 * (seed, epoch, game), as the testbed's training does. Where the games do not divide evenly, the epoch's last
 * batch is smaller.
 *
 * Games of similar length are not put together. That saves padding, which only the reference engine has, and a
 * model learns less from steps that have short games alone or long ones alone (docs/log.md).
 */
export class Batches {
  readonly stepsPerEpoch: number;
  private epoch = -1;
  /** Game numbers of the current epoch, batch after batch. */
  private order: Uint32Array = new Uint32Array(0);

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
    const { seed, context, objective, legalWeight = LEGAL_WEIGHT, predictNames = true, pieceWeight = 0 } = this.options;
    const epoch = this.epochOf(step);
    const games = this.gamesOf(step);
    const rows = Array.from(games, (game) =>
      this.notation
        .encode(this.corpus.trace(game), { random: seededRandom('notation', seed, epoch, game), closed: true })
        .slice(0, context),
    );
    const batch = batchOf(rows);
    const names = this.notation.mutedInEvaluation;
    if (!predictNames && names.length > 0)
      batch.learn = Uint8Array.from(batch.tokens, (token) => (names.includes(token) ? 0 : 1));
    if (objective !== 'valid' && objective !== 'legal') {
      if (pieceWeight === 0 || names.length === 0 || this.notation.nameShare === 0) return batch;
      const valid = pieceSets(this.notation, this.corpus, games, batch);
      return { ...batch, valid, validWeight: pieceWeight };
    }
    const words = Math.ceil(this.notation.vocabulary.size / 32);
    const valid = new Int32Array(batch.tokens.length * words);
    games.forEach((game, row) =>
      valid.set(this.notation.valid(this.corpus.trace(game), rows[row]), batch.offsets[row] * words),
    );
    if (objective === 'valid') return { ...batch, valid };
    leaveSpelling(this.notation, batch.tokens, valid);
    return { ...batch, valid, validWeight: legalWeight };
  }

  /** The numbers of the games in a step's batch. */
  gamesOf(step: number): Uint32Array {
    this.enter(this.epochOf(step));
    const { games } = this.options;
    const start = (step % this.stepsPerEpoch) * games;
    return this.order.subarray(start, start + games);
  }

  /** Events of the games in a step's batch. */
  eventsIn(step: number): number {
    const { offsets } = this.corpus;
    return this.gamesOf(step).reduce((sum, game) => sum + offsets[game + 1] - offsets[game], 0);
  }

  private enter(epoch: number): void {
    if (epoch === this.epoch) return;
    this.order = epochOrder(this.corpus.length, this.options.seed, epoch);
    this.epoch = epoch;
  }
}

/** The numbers of an epoch's rows, each once, in the order in which they are learned from. */
export function epochOrder(rows: number, seed: number, epoch: number): Uint32Array {
  const inOrder = Uint32Array.from({ length: rows }, (_, row) => row);
  return shuffle(inOrder, seededRandom('order', seed, epoch));
}
