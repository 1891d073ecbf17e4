import { SplatSheet } from './splat-sheet.svelte.ts';
import { TestbedSheet } from './testbed-sheet.svelte.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { SweepForm } from './sweep/sweep-form.svelte.ts';

/** Of which paper the tables are. */
export type SheetName = 'testbed' | 'splat';

/** What the Compare page shows: a sheet for each paper, and the form of the next sweep. */
export class CompareState {
  readonly form = new SweepForm();
  readonly testbed: TestbedSheet;
  readonly splat: SplatSheet;
  #lab: Lab;
  #chosen = $state<SheetName | null>(null);

  constructor(lab: Lab) {
    this.#lab = lab;
    this.testbed = new TestbedSheet(lab);
    this.splat = new SplatSheet(lab);
  }

  /** The sheet that was chosen, else the one that the page's game and what is kept speak for. */
  get sheet(): SheetName {
    if (this.#chosen !== null) return this.#chosen;
    if (this.#lab.domain !== 'chess') return 'splat';
    return this.testbed.kept?.length === 0 && this.splat.kept !== null && this.splat.kept.length > 0
      ? 'splat'
      : 'testbed';
  }

  set sheet(chosen: SheetName) {
    this.#chosen = chosen;
  }

  async refresh(): Promise<void> {
    await Promise.all([this.testbed.refresh(), this.splat.refresh()]);
  }
}

/** One state for as long as the page lives, so that looking elsewhere loses no choice. */
export function compareOf(lab: Lab): CompareState {
  // A derived value made inside a component stops with it, and the first visit's component ends when one leaves.
  if (held === null) $effect.root(() => void (held = new CompareState(lab)));
  return held!;
}
let held: CompareState | null = null;
