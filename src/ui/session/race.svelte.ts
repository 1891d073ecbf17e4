import { sink } from '../../../workers/wire.ts';
import type { RaceEvent, RaceRound, RaceStarted } from '../../../workers/race/protocol.ts';
import { summarise } from '../../../workers/race/summary.ts';
import { failureOf, type Failure } from '../../base/result.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { connectRace, type RaceWorker } from './race-worker.ts';
import type { Lab } from './lab.svelte.ts';
import { ownGames } from './game-setup.ts';
import { transferred } from './run-games.ts';

type Status = 'closed' | 'ready' | 'running' | 'finished' | 'cancelled' | 'refused';

/** A race of the compiled engine against stock TensorFlow.js on this device. Each race has a worker of its own. */
export class RaceState {
  status = $state<Status>('closed');
  words = $state('');
  started = $state.raw<RaceStarted | null>(null);
  rounds = $state.raw<RaceRound[]>([]);
  /** Of the time that a race takes, 0 to 1; null while it is being prepared. */
  share = $state<number | null>(null);
  failure = $state.raw<Failure | null>(null);
  summary = $derived(summarise(this.rounds));
  #lab: Lab;
  #worker: RaceWorker | null = null;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  open(): void {
    this.#reset('ready');
  }

  /** Ends a race that is going on. */
  close(): void {
    this.#end();
    this.status = 'closed';
  }

  /** Ends the race; the rounds so far stay to be seen. */
  cancel(): void {
    this.#end();
    if (this.status === 'running') this.status = 'cancelled';
  }

  async run(config: RunConfig): Promise<void> {
    this.#reset('running');
    if (this.#lab.run.active) {
      this.#refuse({
        code: 'run-going-on',
        message:
          'A run is being trained on this device. A race beside it would slow both and measure neither; stop the run or let it finish first.',
      });
      return;
    }
    this.words = 'Opening the lab’s games';
    const worker = (this.#worker = connectRace((words) =>
      this.#refuse({
        code: 'worker-crashed',
        message: `The race ended unexpectedly (${words}). Try a smaller model or batch.`,
      }),
    ));
    const current = (): boolean => this.#worker === worker;
    try {
      const games = await this.#lab.guard(
        this.#lab.data.open(
          ownGames(config.domain),
          sink(() => {}),
        ),
      );
      if (!current()) return;
      if (!games.ok) return this.#refuse(games.error);
      const onEvent = sink((event: RaceEvent) => {
        if (current()) this.#take(event);
      });
      const raced = await worker.service.race(config, transferred(games.value), this.#lab.wanted, onEvent);
      if (!current()) return;
      this.#end();
      if (raced.ok) this.status = 'finished';
      else this.#refuse(raced.error);
    } catch (error) {
      if (current()) this.#refuse(failureOf(error));
    }
  }

  #take(event: RaceEvent): void {
    if (event.kind === 'preparing') this.words = event.words;
    else if (event.kind === 'started') this.started = event.started;
    else {
      this.words = '';
      this.rounds = [...this.rounds, event.round];
      this.share = event.share;
    }
  }

  #refuse(failure: Failure): void {
    this.#end();
    this.failure = failure;
    this.status = 'refused';
  }

  #reset(status: Status): void {
    this.#end();
    this.status = status;
    this.words = '';
    this.started = this.share = this.failure = null;
    this.rounds = [];
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
