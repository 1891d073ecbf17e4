import { isIllegal, type ModelTurn } from '../../studies/play/model-turn.ts';
import { turnCounts } from './game.ts';
import type { PlayState } from './play.svelte.ts';

/** What models chose in the game: how often the rules forbid it, and the turn that is shown for the move looked at. */
export class Turns {
  readonly #play: PlayState;

  constructor(play: PlayState) {
    this.#play = play;
  }

  /** Of each side; the choice at which the game has stopped is among them. */
  readonly counts = $derived.by((): ReturnType<typeof turnCounts> => {
    const { game, stopped, side } = this.#play;
    if (game === null) return { asked: [0, 0], illegal: [0, 0] };
    const counts = turnCounts(game);
    if (stopped === null) return counts;
    counts.asked[side]++;
    if (isIllegal(stopped.choice)) counts.illegal[side]++;
    return counts;
  });
  readonly #stoppedHere = $derived.by(() => (this.#play.at === this.#play.last ? this.#play.stopped : null));
  /** What a model chose in the position that is looked at: the game has stopped there, or went on with its move. */
  readonly turnHere = $derived.by((): ModelTurn | null => {
    const { at } = this.#play;
    return this.#stoppedHere ?? (this.#turnAt(at) === null ? this.#turnAt(at + 1) : null);
  });
  /** The turn that is shown: that here, that which led here, or the one before a person's last move. */
  readonly shown = $derived.by((): ModelTurn | null => {
    const { at } = this.#play;
    return this.#stoppedHere ?? this.#turnAt(at) ?? this.turnHere ?? this.#turnAt(at - 1);
  });
  /** The side whose turn is shown. */
  readonly side = $derived.by((): 0 | 1 => {
    const { game, stopped, side, states } = this.#play;
    if (game === null || this.shown === null || this.shown === stopped) return side;
    const index = game.plies.findIndex(({ turn }) => turn === this.shown);
    return game.domain.play.toMove(states[game.opening.length + index]);
  });

  #turnAt(move: number): ModelTurn | null {
    const { game } = this.#play;
    return game?.plies[move - 1 - game.opening.length]?.turn ?? null;
  }
}
