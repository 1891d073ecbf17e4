import type { DroppedModel, ModelChoice } from '../probe/model-choice.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { PlayModel } from './play-model.ts';
import type { Player } from './game.ts';

/** The models that play, each in a worker of its own while it is chosen. */
export class PlayingModels {
  readonly #models = new Map<Player, PlayModel>();

  constructor(private readonly lab: Lab) {}

  /** The model of a player; `dropped` is that of a person's files. */
  of(player: Player, dropped: DroppedModel | null): PlayModel {
    const known = this.#models.get(player);
    if (known) return known;
    const model = new PlayModel(this.lab, player as ModelChoice, dropped);
    this.#models.set(player, model);
    return model;
  }

  rest(player: Player): void {
    this.#models.get(player)?.rest();
    this.#models.delete(player);
  }

  /** Lets go all who do not play any more. */
  restOthers(players: readonly Player[]): void {
    for (const player of [...this.#models.keys()]) if (!players.includes(player)) this.rest(player);
  }

  /** Lets go the models of runs that have a newer checkpoint. */
  restOutdated(): void {
    for (const [player, model] of [...this.#models]) if (model.outdated) this.rest(player);
  }
}
