import type { AssessPlan, SweepRun } from '../../../config/sweep.ts';
import type { Progress } from '../../../studies/asking/measuring.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import { SweepAssessor } from './sweep-measure.ts';
import { nextOf, type Rest, type SweepEntry } from './sweep-entry.ts';
import { SweepQueue } from './sweep-queue.ts';
import { keepSweep, markHere, storedSweep, workedHere } from './sweep-store.ts';

/** Only one tab works on the sweep. */
const LOCK = 'blindfold-sweep';

/**
 * The sweep's queue as the page sees it. In a tab that is loaded again the queue goes on by itself; opened anew, days
 * later perhaps, it asks first, since nobody expects a page to begin to train when it is opened.
 */
export class SweepState {
  /** Null until this tab works on it. */
  queue = $state.raw<SweepQueue | null>(null);
  entries = $state.raw<readonly SweepEntry[]>([]);
  rest = $state<Rest>('');
  /** Of the measurement that is under way. */
  progress = $state.raw<Progress | null>(null);
  /** True while another tab works on the queue. */
  elsewhere = $state(false);
  /** Counts assessments that were made, so that tables are read again. */
  assessed = $state(0);
  done = $derived(this.entries.filter(({ status }) => status === 'assessed').length);
  /** The entry that is worked on, or comes next. */
  next = $derived(nextOf(this.entries));
  unfinished = $derived(this.next !== null);
  /** True where the queue asks whether to go on with what was begun another day. */
  asks = $derived(this.unfinished && this.rest === 'from before' && !this.elsewhere);
  working = $derived(this.unfinished && this.rest === '' && !this.elsewhere);
  #lab: Lab;
  #assessor: SweepAssessor;

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#assessor = new SweepAssessor(lab);
    this.#show(storedSweep());
    addEventListener('storage', () => {
      if (this.elsewhere) this.#show(storedSweep());
    });
    void this.#begin();
  }

  add(runs: readonly SweepRun[], assess: AssessPlan): void {
    this.queue?.add(runs, assess, () => crypto.randomUUID());
  }

  /** Waits until no other tab has the queue, and works on it from then on. */
  async #begin(): Promise<void> {
    if (!('locks' in navigator)) return this.#work();
    const work = (): Promise<never> => {
      this.#work();
      return new Promise(() => {});
    };
    await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
      this.elsewhere = lock === null;
      return lock === null ? null : work();
    });
    await navigator.locks.request(LOCK, work);
  }

  #work(): void {
    const stored = storedSweep();
    const rest = stored.rest === '' && nextOf(stored.entries) !== null && !workedHere() ? 'from before' : stored.rest;
    const queue: SweepQueue = new SweepQueue(
      this.#lab,
      this.#assessor,
      { ...stored, rest },
      {
        change: () => this.#changed(queue),
        progress: () => (this.progress = queue.progress),
        assessed: () => this.assessed++,
      },
    );
    this.elsewhere = false;
    this.queue = queue;
    this.#show(queue);
    $effect.root(() => {
      $effect(() => {
        const { run, runs, games, arenaActive } = this.#lab;
        void [run.status, run.record, runs.list, games.list, arenaActive];
        queue.labChanged();
      });
    });
    void queue.work();
  }

  #show({ entries, rest }: { entries: readonly SweepEntry[]; rest: Rest }): void {
    this.entries = entries;
    this.rest = rest;
  }

  #changed(queue: SweepQueue): void {
    this.#show(queue);
    this.progress = queue.progress;
    markHere(this.working);
    if (!this.unfinished) this.#assessor.rest();
    if (!keepSweep(queue.entries, queue.rest))
      this.#lab.notices.report({
        code: 'sweep-not-stored',
        message:
          'This browser has no room to keep the sweep, so it ends with this page. What it has trained and measured stays.',
      });
  }
}
