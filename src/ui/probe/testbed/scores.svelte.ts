import { INSTANCE_SEED } from '../../../config/instance-seed.ts';
import type { Cell, Member } from '../../../report/table.ts';
import type { Stored } from '../../../studies/study.ts';
import type { Assessment } from '../../../studies/testbed/assessment.ts';
import { testbed } from '../../../studies/testbed/study.ts';
import type { MeasureState } from '../measure.svelte.ts';
import { StoredList } from '../stored-list.svelte.ts';

/** What is asked for in the form. */
export interface ProbeForm {
  instances: '20' | '100' | '300' | '1000';
  ranges: 'long' | 'short' | 'both';
  randomPlay: boolean;
  perplexityGames: number;
  games: string;
}

/** The number that was chosen in a table, and the answers behind it. */
export interface Selection {
  cell: Cell;
  members: Member[];
  words: string;
}

/** Assessments: the one on show, those that are kept, and the form for the next. */
export class ScoresState extends StoredList<Assessment, Selection> {
  form = $state<ProbeForm>({
    instances: '100',
    ranges: 'both',
    randomPlay: false,
    perplexityGames: 100,
    games: 'embedded',
  });
  /** Place of the set of instances that is looked at. */
  set = $state(0);

  constructor(measure: MeasureState) {
    super(measure, testbed);
  }

  override show(stored: Stored<Assessment>): void {
    super.show(stored);
    this.set = Math.min(this.set, Math.max(0, stored.assessment.sets.length - 1));
  }

  async probe(): Promise<void> {
    const { instances, ranges, randomPlay, perplexityGames, games } = this.form;
    const settings = {
      ranges: ranges === 'both' ? (['long', 'short'] as const).slice() : [ranges],
      instances: Number(instances),
      perplexityGames,
      randomPlay,
      seed: INSTANCE_SEED,
    };
    const outcome = await this.measure.ask(testbed, settings, games);
    if (outcome === null) return;
    this.set = 0;
    this.take(outcome);
  }
}
