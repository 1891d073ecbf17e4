import type { RunStatus, TrainEvent } from '../../../../workers/train/protocol.ts';
import type { Pair } from './arena-plan.ts';

/** A run that takes turns. */
export interface TurnTaker {
  pause(): unknown;
  continue(): unknown;
}

/** Milliseconds of a turn, which ends with a checkpoint. */
const TURN = 2500;

/** Where a run is, for its turns. */
class Place {
  status: RunStatus = 'preparing';
  /** Of its steps, from 0 to 1. */
  share = 0;
  /** Milliseconds of its steps. */
  time = 0;
  /** When its time was last counted; null while it does not train. */
  counted: number | null = null;

  get over(): boolean {
    return !['preparing', 'running', 'paused'].includes(this.status);
  }

  count(now: number): void {
    if (this.counted !== null) this.time += now - this.counted;
    this.counted = now;
  }
}

/**
 * Lets two runs train in turns on one device: at any time one trains and the other is paused, and whichever has taken
 * the smaller share of its steps comes next. The time of each counts while it trains alone. Turns end at reports of
 * progress and not by a timer, which browsers slow down in hidden tabs.
 */
export class Turns {
  /** Whose turn it is; null before the first, between two, and at the end. */
  private turn: 0 | 1 | null = null;
  private since = 0;
  private begun = false;
  private held = false;
  private readonly places: Pair<Place> = [new Place(), new Place()];

  constructor(
    private readonly takers: Pair<TurnTaker>,
    /** Milliseconds. */
    private readonly clock: () => number,
    private readonly length = TURN,
  ) {}

  get over(): boolean {
    return this.places.every(({ over }) => over);
  }

  /** Seconds of a run's steps. */
  seconds(side: 0 | 1): number {
    return this.places[side].time / 1000;
  }

  /** Both runs are there; until then each is paused at its first steps. */
  begin(): void {
    this.begun = true;
    this.give();
  }

  /** Neither trains until `release`. */
  hold(): void {
    this.held = true;
    this.end();
  }

  release(): void {
    this.held = false;
    this.give();
  }

  /** To be called with every event of a run. */
  take(side: 0 | 1, event: TrainEvent): void {
    const place = this.places[side];
    if (event.kind === 'progress') {
      place.count(this.clock());
      place.share = event.step / event.steps;
      const long = this.clock() - this.since >= this.length;
      if (this.turn === side && long && !this.places[1 - side].over) this.end();
    } else if (event.kind === 'status') this.rest(side, event.status);
  }

  /** A run that did not tell of its end itself: its worker died. */
  lose(side: 0 | 1): void {
    this.rest(side, 'interrupted');
  }

  private rest(side: 0 | 1, status: RunStatus): void {
    const place = this.places[side];
    place.status = status;
    place.counted = status === 'running' ? this.clock() : null;
    if (status === 'running') {
      if (this.turn !== side || this.held) this.takers[side].pause();
      return;
    }
    if (this.turn === side && status !== 'preparing') this.turn = null;
    this.give();
  }

  /** The next turn is given once its run has come to rest. */
  private end(): void {
    if (this.turn !== null) this.takers[this.turn].pause();
    this.turn = null;
  }

  private give(): void {
    const [left, right] = this.places;
    if (!this.begun || this.held || this.turn !== null) return;
    if (left.status === 'running' || right.status === 'running') return;
    const waiting = ([0, 1] as const).filter((side) => this.places[side].status === 'paused');
    if (waiting.length === 0) return;
    const next = waiting.reduce((a, b) => (this.places[b].share < this.places[a].share ? b : a));
    this.turn = next;
    this.since = this.clock();
    this.takers[next].continue();
  }
}
