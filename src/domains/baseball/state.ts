import {
  ADVANCE,
  ATBAT,
  BALL,
  CAUGHT_STEALING,
  firstOf,
  FOUL,
  HIT,
  NEWBATTER,
  OUT,
  PLATE,
  SCORE,
  secondOf,
  SOG,
  STRIKE,
  SUB,
  verbOf,
} from './events.ts';

/** Nobody on a base. */
export const NOBODY = -1;

/** Where the verbs stand: before <sog>; between plate appearances, when a batter must come; within one. */
export type Phase = 'before' | 'between' | 'appearance';

/**
 * A baseball game between two verbs, changed in place by `play`. The first seven fields and the bases are the eleven
 * state variables; phase and inPlay are what the order of verbs needs beside them.
 */
export class BaseballState {
  inning = 1;
  /** 0 the top, away bats; 1 the bottom, home bats. */
  half: 0 | 1 = 0;
  outs = 0;
  balls = 0;
  strikes = 0;
  away = 0;
  home = 0;
  /** [4] who stands at plate, first, second and third; NOBODY where it is empty. */
  readonly bases = new Int8Array(4).fill(NOBODY);
  phase: Phase = 'before';
  /** A <hit> was told in this plate appearance, so that no more pitches come. */
  inPlay = false;
  /**
   * The last plate appearance is closed and the score is not level: after the bottom of the ninth inning or a later one,
   * after its top where home leads, and where home takes the lead in it. Kept, since a lead in the tenth looks the same.
   */
  over = false;

  clone(): BaseballState {
    const copy = new BaseballState();
    copy.inning = this.inning;
    copy.half = this.half;
    copy.outs = this.outs;
    copy.balls = this.balls;
    copy.strikes = this.strikes;
    copy.away = this.away;
    copy.home = this.home;
    copy.bases.set(this.bases);
    copy.phase = this.phase;
    copy.inPlay = this.inPlay;
    copy.over = this.over;
    return copy;
  }

  /**
   * The symbolic program: what a verb does to the state, whether or not the rules allow it here. The rules were
   * recovered from the authors' released lines, of which they give every answer: balls and strikes are not capped, a
   * foul is a strike only below two, a half-inning ends at <atbat> and only when outs are exactly three (so that
   * "outs 3" can be asked), and <advance> from an empty base moves nobody, emptying where it goes. Some released goal
   * lines apply a verb twice, so it must mean something where the rules forbid it.
   */
  play(event: number): void {
    const first = firstOf(event);
    const { bases } = this;
    switch (verbOf(event)) {
      case SOG:
        Object.assign(this, new BaseballState(), { bases: bases.fill(NOBODY), phase: 'between' });
        break;
      case NEWBATTER:
        bases[PLATE] = first;
        this.phase = 'appearance';
        break;
      case BALL:
        this.balls++;
        break;
      case STRIKE:
        this.strikes++;
        break;
      case FOUL:
        if (this.strikes < 2) this.strikes++;
        break;
      case HIT:
        this.inPlay = true;
        break;
      case ADVANCE: {
        const to = secondOf(event);
        if (to !== SCORE) bases[to] = bases[first] ?? NOBODY;
        else if (this.half === 0) this.away++;
        else this.home++;
        bases[first] = NOBODY;
        break;
      }
      case OUT:
      case CAUGHT_STEALING:
        bases[first] = NOBODY;
        this.outs++;
        break;
      case SUB: {
        const base = bases.indexOf(secondOf(event));
        if (base >= 0) bases[base] = first;
        break;
      }
      case ATBAT:
        this.endAppearance();
        break;
    }
  }

  /** Home leads in the bottom of the ninth inning or a later one: nothing that follows can change who has won. */
  isWalkOff(): boolean {
    return this.half === 1 && this.inning >= 9 && this.home > this.away;
  }

  private endAppearance(): void {
    this.balls = 0;
    this.strikes = 0;
    this.inPlay = false;
    this.phase = 'between';
    if (this.outs === 3) {
      this.outs = 0;
      this.bases.fill(NOBODY, 1);
      if (this.half === 0) this.half = 1;
      else {
        this.half = 0;
        this.inning++;
        if (this.inning > 9 && this.away !== this.home) this.over = true;
      }
    }
    if (this.isWalkOff()) this.over = true;
  }
}
