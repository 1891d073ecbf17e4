import type { Member } from '../../../report/table.ts';
import { fieldsOf, type Field } from '../../../config/fields.ts';
import type { AnyStudy, Assessed } from '../../../studies/study.ts';
import { ownGames } from '../../session/game-setup.ts';
import type { MeasureState } from '../measure.svelte.ts';
import { StoredList } from '../stored-list.svelte.ts';

/** The answers behind a number of a study's table. */
export interface ChosenAnswers {
  label: string;
  members: Member[];
}

/** A study without a tab of its own making: its settings, what is kept of it, and the answers that are looked at. */
export class StudyState extends StoredList<Assessed, ChosenAnswers> {
  readonly fields: Field[];
  settings = $state<Record<string, unknown>>({});
  games = $state('');

  constructor(measure: MeasureState, study: AnyStudy) {
    super(measure, study);
    this.fields = fieldsOf(study.settings).filter(({ title }) => title !== null);
    this.settings = Object.fromEntries(this.fields.map(({ name, initial }) => [name, initial]));
    this.games = ownGames(measure.domain);
    void this.refresh().then(() => this.showNewest());
  }

  override forget(): void {
    super.forget();
    const { domain, lab } = this.measure;
    if (lab.games.named(this.games)?.domain !== domain) this.games = ownGames(domain);
  }

  async ask(): Promise<void> {
    const games = this.study.games === null ? null : this.games;
    const outcome = await this.measure.ask(this.study, $state.snapshot(this.settings), games);
    if (outcome !== null) this.take(outcome);
  }
}
