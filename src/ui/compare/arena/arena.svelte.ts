import type { TrainEvent } from '../../../../workers/train/protocol.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { rememberSpeed } from '../../session/experiment/estimate.ts';
import type { Lab } from '../../session/lab.svelte.ts';
import { ArenaForm, budgetTitle, namesOf } from './arena-form.svelte.ts';
import type { Budget } from '../../../studies/compute/equal-compute.ts';
import { planned, type Pair } from './arena-plan.ts';
import { ArenaSide } from './arena-side.svelte.ts';
import { Turns } from './turns.ts';

/** What two models were trained for, whatever the form says by now. */
export interface ArenaMatch {
  names: Pair<string>;
  configs: Pair<RunConfig>;
  budget: Budget;
  sides: Pair<ArenaSide>;
}

const TAG = 'arena';

/** Two models trained in turns on this device, and asked the same. Lives beyond its page, so that looking elsewhere ends nothing. */
export class ArenaState {
  readonly form = new ArenaForm();
  match = $state.raw<ArenaMatch | null>(null);
  /** What is being done before both train; '' where nothing is. */
  preparing = $state('');
  held = $state(false);
  active = $derived(this.preparing !== '' || (this.match?.sides.some(({ run }) => run.active) ?? false));
  finished = $derived(
    this.preparing === '' && (this.match?.sides.every(({ run }) => run.status === 'finished') ?? false),
  );
  readonly #lab: Lab;
  /** Null until the first start, since each has workers of its own. */
  #sides: Pair<ArenaSide> | null = null;
  #turns: Turns | null = null;
  /** Counts starts and stops, so that what was stopped on its way goes no further. */
  #attempt = 0;

  constructor(lab: Lab) {
    this.#lab = lab;
    $effect.root(() => {
      $effect(() => {
        lab.arenaActive = this.active;
      });
    });
  }

  /** Trains what the form says. @param address of this page, for the notes of both runs */
  async start(address: string): Promise<void> {
    const { form } = this;
    const { configs, budget } = form;
    if (this.active || this.#lab.run.active || !configs.ok) return;
    const attempt = ++this.#attempt;
    const current = (): boolean => attempt === this.#attempt;
    const names = namesOf(configs.value);
    const notes = `Arena with ${budgetTitle(budget)}. To run it again: ${address}`;
    this.#turns = null;
    this.held = false;
    this.match = null;
    this.preparing = 'Preparing both models';
    const sides = (this.#sides ??= [this.#side(0), this.#side(1)]);
    for (const { run } of sides) run.clear();

    const speeds = budget.equal === 'seconds' ? await this.#speeds(configs.value, names, current) : null;
    if (!current()) return;
    const runs = planned(configs.value, budget, this.#events(configs.value[0]), speeds);
    if (!runs.ok || (budget.equal === 'seconds' && speeds === null)) {
      if (!runs.ok && speeds !== null) this.#lab.notices.report(runs.error);
      this.preparing = '';
      return;
    }
    this.match = { names, configs: runs.value, budget, sides };
    const turns = (this.#turns = new Turns(sides, () => performance.now()));
    for (const at of [0, 1] as const) {
      this.preparing = `Preparing ${names[at]}`;
      const side = at === 0 ? 'left' : 'right';
      const name = `Arena: ${names[0]} against ${names[1]}, ${side}`;
      const begun = await sides[at].start(runs.value[at], { name, notes, tags: [TAG] });
      if (!current()) return;
      if (!begun) return this.stop();
    }
    this.preparing = '';
    turns.begin();
    await this.#lab.runs.refresh();
  }

  /** Neither trains until `proceed`. */
  pause(): void {
    this.held = true;
    this.#turns?.hold();
  }

  proceed(): void {
    this.held = false;
    this.#turns?.release();
  }

  /** Ends both runs at a checkpoint, from which the Runs page can go on with each. */
  async stop(): Promise<void> {
    this.#attempt++;
    this.preparing = 'Stopping';
    await Promise.all((this.#sides ?? []).map((side) => side.stop()));
    this.preparing = '';
    await this.#lab.runs.refresh();
  }

  #side(at: 0 | 1): ArenaSide {
    const onLost = (): void => {
      this.#turns?.lose(at);
      void this.#lab.runs.refresh();
    };
    return new ArenaSide(this.#lab, (event) => this.#take(at, event), onLost);
  }

  #take(at: 0 | 1, event: TrainEvent): void {
    const turns = this.#turns;
    const side = this.#sides?.[at];
    if (turns === null || side === undefined) return;
    turns.take(at, event);
    side.seconds = turns.seconds(at);
    if (event.kind === 'status' && turns.over) void this.#lab.runs.refresh();
    const { record, device, progress } = side.run;
    if (record === null || device === null || progress === null) return;
    if (event.kind === 'status' && event.status === 'finished' && side.seconds > 0)
      rememberSpeed(record.config, device.backend, progress.tokens / side.seconds, this.#events(record.config));
  }

  /** How fast each is by itself; null where that could not be measured. */
  async #speeds(configs: Pair<RunConfig>, names: Pair<string>, current: () => boolean): Promise<Pair<number> | null> {
    const speeds: number[] = [];
    for (const [at, side] of this.#sides!.entries()) {
      this.preparing = `Measuring the speed of ${names[at]}`;
      const speed = await side.measureSpeed(configs[at], this.#events(configs[at]));
      if (speed === null || !current()) return null;
      speeds.push(speed);
    }
    return [speeds[0], speeds[1]];
  }

  #events({ data }: RunConfig): number {
    return this.#lab.games.meanEvents(data.games);
  }
}
