import type { Random } from '../../../base/random.ts';
import { PLAYERS } from '../events.ts';

const SLOTS = 9;
const UNSEEN = -1;

/**
 * The share of batters who are new to the game, by inning (1, 2, ...; the last stands for all later ones): counted over
 * the 15,665 appearances of the released validation lines that come nine or more after a side's first.
 */
const NEW_BATTER = [0, 0.001, 0.005, 0.007, 0.027, 0.053, 0.133, 0.166, 0.151];

/** Numbers players in the order in which they first appear; the vocabulary has room for 50. */
export class Roster {
  private players = 0;

  isFull(): boolean {
    return this.players >= PLAYERS;
  }

  next(): number {
    return this.players++;
  }
}

/** One side's batting order: nine places, whose players change for good now and then. */
export class Lineup {
  private readonly order: number[] = new Array<number>(SLOTS).fill(UNSEEN);
  private at = 0;

  constructor(private readonly roster: Roster) {}

  /** The player who bats now. */
  batter(inning: number, random: Random): number {
    const known = this.order[this.at] !== UNSEEN;
    const rate = NEW_BATTER[Math.min(inning, NEW_BATTER.length) - 1];
    if (!known || (random.next() < rate && !this.roster.isFull())) this.order[this.at] = this.roster.next();
    return this.order[this.at];
  }

  /** The next place bats; not called where an inning ended with the batter at the plate, who then leads off. */
  advance(): void {
    this.at = (this.at + 1) % SLOTS;
  }

  /** A runner is replaced; his substitute has his place in the order. */
  replace(player: number): number {
    const substitute = this.roster.next();
    this.order[this.order.indexOf(player)] = substitute;
    return substitute;
  }
}
