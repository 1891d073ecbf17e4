import { transferring } from '../../../../workers/wire.ts';
import type { SplatRequest, StoredSplat } from '../../../../workers/measure/protocol.ts';
import { INSTANCE_SEED } from '../../../config/instance-seed.ts';
import { noticeOf } from '../../../config/notice.ts';
import type { GoalMode } from '../../../studies/splat/questions/question.ts';
import type { SplatAssessment } from '../../../studies/splat/splat-assessment.ts';
import type { Cell, Member } from '../../../report/table.ts';
import { count, date } from '../../kit/format.ts';
import { KeptAssessments } from '../stored-list.svelte.ts';
import { buffersOf } from '../measured-games.ts';
import { runOf } from '../model-choice.ts';
import { needsWords } from './splat-memory.ts';
import type { MeasureState } from '../measure.svelte.ts';
import { ownGames } from '../../session/game-setup.ts';
import { manifestOf } from '../../session/run-games.ts';

export type SplatTab = 'scores' | 'answers' | 'mass' | 'memory' | 'state';

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

/** Assessments of models that read words: the one on show, those that are kept, and the form for the next. */
export class SplatState extends KeptAssessments<StoredSplat, SplatSelection> {
  tab = $state<SplatTab>('scores');
  form = $state<SplatForm>({
    questions: '100',
    perplexityGames: 20,
    goals: null,
    distances: true,
    games: ownGames('chess'),
  });

  constructor(measure: MeasureState) {
    super(measure, 'splat');
  }

  protected read(): Promise<StoredSplat[]> {
    return this.measure.lab.measure.splats();
  }

  protected erase(id: string): Promise<void> {
    return this.measure.lab.measure.removeSplat(id);
  }

  protected wordsOf({ createdAt, asked, assessment }: StoredSplat): string {
    return `${date(createdAt)}, step ${count(assessment.subject.steps)}, ${count(asked.questions)} questions of each kind, ${asked.games}`;
  }

  /** Whether the chosen model has learned to answer. */
  get fineTuned(): boolean {
    return Boolean(this.measure.subject?.fineTuning);
  }

  get goals(): GoalMode {
    return this.form.goals ?? this.measure.subject?.fineTuning?.goals ?? 'released';
  }

  /** Why the games that are chosen give no distances, as far as is known before they are opened; null where they do. */
  get distancesNeed(): string | null {
    const { lab, chosen } = this.measure;
    const data = runOf(lab, chosen)?.config.data;
    const games = lab.games ?? [];
    const hash = games.find(({ key }) => key === this.form.games)?.hash;
    if (!this.fineTuned || !this.form.distances || !data || hash === undefined) return null;
    // Where shards were missing, the hash has the number of games behind it.
    return data.manifest.split(', ')[0] === hash ? null : needsWords(data.games, games);
  }

  /** Why the assessment on show has no distances; null where it was not games that were missing. */
  get shownNeed(): string | null {
    const need = this.shown?.distancesNeed;
    return need === undefined ? null : needsWords(need, this.measure.lab.games ?? []);
  }

  override forget(): void {
    super.forget();
    this.form.goals = null;
    const { domain, lab } = this.measure;
    if (lab.games?.find(({ key }) => key === this.form.games)?.domain !== domain) this.form.games = ownGames(domain);
  }

  /** Looks at the answers behind a number. */
  select(selection: SplatSelection): void {
    this.selection = selection;
    this.tab = 'answers';
  }

  async ask(): Promise<void> {
    const { measure } = this;
    const { questions, perplexityGames, distances, games: key } = $state.snapshot(this.form);
    const config = runOf(measure.lab, measure.chosen)?.config;
    const { goals } = this;
    const stored = await measure.measure('splat', async (service, onProgress) => {
      const opened = await measure.games(key);
      const { summary, train, dev, test, probe } = opened;
      const request: SplatRequest = {
        games: { train, dev, test, probe },
        questions: Number(questions),
        perplexityGames,
        goals,
        own: config?.questions?.own ?? [],
        distances,
        manifest: manifestOf(opened),
        ...noticeOf(summary.notice),
        seed: INSTANCE_SEED,
      };
      const moved = transferring(request, [train, dev, test, probe].flatMap(buffersOf));
      return service.splat(moved, summary.title, onProgress);
    });
    if (stored !== null) this.take(stored);
  }
}
