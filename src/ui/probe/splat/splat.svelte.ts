import { INSTANCE_SEED } from '../../../config/instance-seed.ts';
import type { Cell, Member } from '../../../report/table.ts';
import type { GoalMode } from '../../../studies/splat/questions/question.ts';
import { questionsFor } from '../../../studies/splat/questions/questions.ts';
import type { SplatAssessment } from '../../../studies/splat/splat-assessment.ts';
import { splat } from '../../../studies/splat/study.ts';
import { ownGames } from '../../session/game-setup.ts';
import type { MeasureState } from '../measure.svelte.ts';
import { runOf } from '../model-choice.ts';
import { StoredList } from '../stored-list.svelte.ts';
import { needsWords } from './splat-memory.ts';

/** What is asked for in the form. */
export interface SplatForm {
  questions: '20' | '100' | '300' | '1000';
  perplexityGames: number;
  /** Null: as the model learned them. */
  goals: GoalMode | null;
  distances: boolean;
  games: string;
}

/** The number that was chosen in a table, and the answers behind it. */
export interface SplatSelection {
  cell: Cell;
  words: string;
  members: Member[];
  /** What the members count in. */
  assessments: readonly SplatAssessment[];
}

/** SPLAT's assessments: the one on show, those that are kept, and the form for the next. */
export class SplatState extends StoredList<SplatAssessment, SplatSelection> {
  form = $state<SplatForm>({
    questions: '100',
    perplexityGames: 20,
    goals: null,
    distances: true,
    games: 'embedded',
  });

  constructor(measure: MeasureState) {
    super(measure, splat);
  }

  /** Whether the chosen model has learned to answer. */
  get fineTuned(): boolean {
    return Boolean(this.measure.subject?.fineTuning);
  }

  /** How many ways there are in which goal questions of the page's game go on. */
  get goalModes(): number {
    const questions = questionsFor(this.measure.domain);
    return questions.ok ? questions.value.goalModes.length : 0;
  }

  get goals(): GoalMode {
    return this.form.goals ?? this.measure.subject?.fineTuning?.goals ?? 'released';
  }

  /** Why the games that are chosen give no distances, as far as is known before they are opened; null where they do. */
  get distancesNeed(): string | null {
    const { lab, chosen } = this.measure;
    const data = runOf(lab, chosen)?.config.data;
    const games = lab.games.list ?? [];
    const hash = games.find(({ key }) => key === this.form.games)?.hash;
    if (!this.fineTuned || !this.form.distances || !data || hash === undefined) return null;
    // Where shards were missing, the hash has the number of games behind it.
    return data.manifest.split(', ')[0] === hash ? null : needsWords(data.games, games);
  }

  /** Why the assessment on show has no distances; null where it was not games that were missing. */
  get shownNeed(): string | null {
    const need = this.shown?.assessment.distancesNeed;
    return need === undefined ? null : needsWords(need, this.measure.lab.games.list ?? []);
  }

  override forget(): void {
    super.forget();
    this.form.goals = null;
    const { domain, lab } = this.measure;
    if (lab.games.named(this.form.games)?.domain !== domain) this.form.games = ownGames(domain);
  }

  /** Looks at the answers behind a number. */
  select(selection: SplatSelection): void {
    this.selection = selection;
    this.measure.tab = 'splat-answers';
  }

  async ask(): Promise<void> {
    const { measure, goals } = this;
    const { questions, perplexityGames, distances, games } = $state.snapshot(this.form);
    const config = runOf(measure.lab, measure.chosen)?.config;
    const settings = {
      questions: Number(questions),
      ...{ perplexityGames, goals, distances, seed: INSTANCE_SEED },
      own: config?.questions?.own ?? [],
    };
    const outcome = await measure.ask(splat, settings, games);
    if (outcome !== null) this.take(outcome);
  }
}
