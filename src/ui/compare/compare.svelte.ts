import { storedStudies } from '../../studies/studies.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { notationsOf } from '../session/notation-labels.ts';
import { StudySheet } from './study-sheet.svelte.ts';
import { SweepForm } from './sweep/sweep-form.svelte.ts';

/** What the Compare page shows: a sheet for each study, and the form of the next sweep. */
export class CompareState {
  readonly form = new SweepForm();
  readonly #all: readonly StudySheet[];
  #lab: Lab;
  #chosen = $state<string | null>(null);
  /** The papers that the tables stand beside, and whatever else has been kept. */
  sheets = $derived.by(() =>
    this.#all.filter(
      ({ view, stored, study }) => view.published || (stored ?? []).length > 0 || study.name === this.#chosen,
    ),
  );

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#all = storedStudies().map((study) => new StudySheet(lab, study));
  }

  /** The sheet that was chosen, else the first that the page's game and what is kept speak for. */
  sheet = $derived.by((): StudySheet => {
    const chosen = this.sheets.find(({ study }) => study.name === this.#chosen);
    if (chosen) return chosen;
    const { domain } = this.#lab;
    const apply = this.sheets.filter(({ study }) =>
      notationsOf(domain, null).some((notation) => study.appliesTo({ domain, notation })),
    );
    // Until all are read, none counts as empty.
    return apply.find(({ stored }) => stored === null || stored.length > 0) ?? apply[0] ?? this.sheets[0];
  });

  choose(study: string): void {
    this.#chosen = study;
  }

  async refresh(): Promise<void> {
    await Promise.all(this.#all.map((sheet) => sheet.refresh()));
  }
}

/** One state for as long as the page lives, so that looking elsewhere loses no choice. */
export function compareOf(lab: Lab): CompareState {
  // A derived value made inside a component stops with it, and the first visit's component ends when one leaves.
  if (held === null) $effect.root(() => void (held = new CompareState(lab)));
  return held!;
}
let held: CompareState | null = null;
