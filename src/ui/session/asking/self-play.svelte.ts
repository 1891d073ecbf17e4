import type { SelfPlayGame } from '../../../studies/self-play/self-play.ts';
import { paced } from './paced.ts';

/** Has the model play itself; null where there is no model yet. */
export type Play = (seed: number, onPly: (game: SelfPlayGame) => void) => Promise<SelfPlayGame | null>;

const FRAME = 500;
/** Milliseconds between two views of a game as it is played: ply by ply would be a blur, and take prompts their time. */
const VIEW = 150;

/**
 * The games that the model plays against itself, and where in one a person is looking. The board follows
 * the newest game until someone pauses or scrubs; then that game stays until they press play again.
 */
export class SelfPlayState {
  game = $state.raw<SelfPlayGame | null>(null);
  /** Plies shown on the board. */
  at = $state(0);
  /** A game is being played now. */
  live = $state(false);
  #mode = $state<'following' | 'replaying' | 'held'>('following');
  /** Whether the board is moving by itself. */
  moving = $derived(this.#mode === 'replaying' || (this.#mode === 'following' && this.live));
  /** Counts games, so that what an ended one still brings is dropped; the seed of each. */
  #games = 0;
  #newest: SelfPlayGame | null = null;
  #view = paced<SelfPlayGame>(VIEW, (game) => this.#take(game));
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly ask: Play) {}

  /** Starts a game with the newest weights, unless one is under way. */
  async next(): Promise<void> {
    if (this.live) return;
    this.live = true;
    const mine = ++this.#games;
    const current = (): boolean => mine === this.#games;
    try {
      const game = await this.ask(mine, (partial) => {
        if (current()) this.#view.soon(partial);
      });
      if (current() && game !== null) this.#view.now(game);
    } finally {
      if (current()) {
        this.#view.drop();
        this.live = false;
      }
    }
  }

  /** Starts a game with other weights; the one under way ends. */
  restart(): Promise<void> {
    this.clear();
    this.live = false;
    return this.next();
  }

  clear(): void {
    this.#stopTimer();
    this.#view.drop();
    this.#mode = 'following';
    this.#newest = this.game = null;
    this.at = 0;
  }

  /** Looks at a ply; the game stays there. */
  look(ply: number): void {
    this.pause();
    this.at = Math.max(0, Math.min(ply, this.game?.plies.length ?? 0));
  }

  pause(): void {
    this.#stopTimer();
    this.#mode = 'held';
  }

  /** Goes on from the ply shown, from the start where it is the last; then follows the newest game. */
  play(): void {
    if (this.at >= (this.game?.plies.length ?? 0)) this.at = 0;
    this.#mode = 'replaying';
    this.#stopTimer();
    this.#timer = setInterval(() => {
      if (this.at < (this.game?.plies.length ?? 0)) this.at++;
      else {
        this.#stopTimer();
        this.#mode = 'following';
        if (this.#newest !== null) this.#take(this.#newest);
      }
    }, FRAME);
  }

  #take(game: SelfPlayGame): void {
    this.#newest = game;
    if (this.#mode !== 'following' && this.game !== null) return;
    this.game = game;
    this.at = game.plies.length;
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
