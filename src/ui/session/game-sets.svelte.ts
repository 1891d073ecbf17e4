import type { GamesSummary } from '../../../workers/data/protocol.ts';
import type { RunConfig } from '../../config/run-config.ts';
import type { Services } from './workers.ts';

/** Mean length of a game that is assumed while none is known. */
const USUAL_EVENTS = 80;

/** The sets of games on this device. */
export class GameSets {
  /** Null until they are read. */
  list = $state.raw<GamesSummary[] | null>(null);

  constructor(private readonly workers: Services) {}

  async refresh(): Promise<void> {
    const games = await this.workers.attempt(() => this.workers.data.list());
    if (games !== null) this.list = games;
  }

  /** The set of that key; null where it is not on this device. */
  named(key: string | undefined): GamesSummary | null {
    return this.list?.find((set) => set.key === key) ?? null;
  }

  /** The sets of a game. */
  of(domain: string): GamesSummary[] {
    return (this.list ?? []).filter((set) => set.domain === domain);
  }

  /** Games that a run of this config learns from; null where its set is not known here. */
  trainGames({ data }: Pick<RunConfig, 'data'>): number | null {
    const train = this.named(data.games)?.splits.train;
    return train === undefined ? data.limit : Math.min(train.games, data.limit ?? Infinity);
  }

  /** Mean length of a set's games in events. */
  meanEvents(key: string): number {
    const train = this.named(key)?.splits.train;
    return train === undefined || train.games === 0 ? USUAL_EVENTS : train.events / train.games;
  }
}
