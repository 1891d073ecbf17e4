import type { SelfPlayGame } from '../../probes/self-play.ts';

/** Has the model play itself; null where there is no model yet. */
export type Play = (seed: number, onPly: (game: SelfPlayGame) => void) => Promise<SelfPlayGame | null>;

const FRAME = 500;

/** The newest game that the model played against itself, and where in it one is looking. */
export class SelfPlayState {
  game = $state.raw<SelfPlayGame | null>(null);
  /** Plies shown on the board. */
  at = $state(0);
  /** Replaying by itself, or following a game as it is played. */
  playing = $state(true);
  live = $state(false);
  #play: Play;
  #seed = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(play: Play) {
    this.#play = play;
  }

  /** Starts a game with the newest weights, unless one is under way. */
  async next(): Promise<void> {
    if (this.live) return;
    this.live = true;
    try {
      const game = await this.#play(++this.#seed, (partial) => this.#show(partial));
      if (game !== null) this.#show(game);
    } finally {
      this.live = false;
    }
  }

  clear(): void {
    this.game = null;
    this.at = 0;
    this.playing = true;
  }

  /** Looks at a ply; replaying stops there. */
  look(ply: number): void {
    this.pause();
    this.at = Math.max(0, Math.min(ply, this.game?.plies.length ?? 0));
  }

  replay(): void {
    const last = this.game?.plies.length ?? 0;
    if (this.at >= last) this.at = 0;
    this.playing = true;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      if (this.at < (this.game?.plies.length ?? 0)) this.at++;
      else if (!this.live) this.pause();
    }, FRAME);
  }

  pause(): void {
    this.playing = false;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #show(game: SelfPlayGame): void {
    const following = this.playing && this.#timer === undefined;
    const fresh = this.game === null || game.plies.length < this.game.plies.length || game.step !== this.game.step;
    this.game = game;
    if (following) this.at = game.plies.length;
    else if (fresh) this.at = Math.min(this.at, game.plies.length);
  }
}
