import { firstChoice } from '../probe/model-choice.ts';
import { readLink, writeLink, type ReadGame } from './link.ts';
import type { Player } from './game.ts';
import type { PlayState } from './play.svelte.ts';

/** The game as the page's address has it. What an address asks for waits until the page is looked at. */
export class PlayAddress {
  readonly #play: PlayState;
  #asked: URLSearchParams | null = null;
  #seen: URLSearchParams | null = null;

  constructor(play: PlayState) {
    this.#play = play;
  }

  /** Takes what an address says, once only: another game is not what it was about. */
  ask(params: URLSearchParams): void {
    if (params === this.#seen) return;
    this.#seen = params;
    if (params.size > 0 && params.toString() !== new URLSearchParams(this.link).toString()) this.#asked = params;
  }

  /** What an address says of this game. */
  get link(): string {
    const { game, players, temperature, seed } = this.#play;
    return game === null ? '' : writeLink({ game, players, temperature, seed, usual: this.#usual });
  }

  /** The game that was asked for; null where none was. */
  async take(read: ReadGame): Promise<Awaited<ReturnType<typeof readLink>> | null> {
    const params = this.#asked;
    this.#asked = null;
    const { game, models } = this.#play;
    return params === null || game === null ? null : readLink(params, game.domain, models, this.#usual, read);
  }

  get #usual(): [Player, Player] {
    return ['you', firstChoice(this.#play.lab)];
  }
}
