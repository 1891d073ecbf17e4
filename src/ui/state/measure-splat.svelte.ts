import { transferring } from '../../../workers/wire.ts';
import type { SplatRequest, StoredSplat } from '../../../workers/measure/protocol.ts';
import { failureOf } from '../../base/result.ts';
import { noticeOf } from '../../config/notice.ts';
import type { GoalMode } from '../../probes/questions/question.ts';
import type { SplatAssessment } from '../../probes/questions/splat-assessment.ts';
import type { Cell, Member } from '../../reports/table.ts';
import { count, date } from '../kit/format.ts';
import type { Kept } from './measure-kept.ts';
import { buffersOf } from './measure-games.ts';
import { runOf } from './measure-model.ts';
import { needsWords } from './measure-splat-memory.ts';
import type { MeasureState } from './measure.svelte.ts';
import { ownGames } from './own-setup.ts';
import { manifestOf } from './run-games.ts';

/** The same for every model, so that all are asked the same. */
const SEED = 42;

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
export class SplatState implements Kept {
  tab = $state<SplatTab>('scores');
  form = $state<SplatForm>({
    questions: '100',
    perplexityGames: 20,
    goals: null,
    distances: true,
    games: ownGames('chess'),
  });
  /** All that this device keeps, newest first; null before they were read. */
  kept = $state.raw<StoredSplat[] | null>(null);
  shown = $state.raw<StoredSplat | null>(null);
  selection = $state.raw<SplatSelection | null>(null);
  readonly #measure: MeasureState;

  constructor(measure: MeasureState) {
    this.#measure = measure;
  }

  /** Those of the model that is chosen. */
  get own(): StoredSplat[] {
    const { run, subject } = this.#measure;
    return (this.kept ?? []).filter((stored) =>
      run === null ? stored.run === null && stored.assessment.subject.name === subject?.name : stored.run === run,
    );
  }

  get list(): { id: string; words: string }[] {
    return this.own.map(({ id, createdAt, asked, assessment }) => ({
      id,
      words: `${date(createdAt)}, step ${count(assessment.subject.steps)}, ${count(asked.questions)} questions of each kind, ${asked.games}`,
    }));
  }

  /** Whether the chosen model has learned to answer. */
  get fineTuned(): boolean {
    return Boolean(this.#measure.subject?.fineTuning);
  }

  get goals(): GoalMode {
    return this.form.goals ?? this.#measure.subject?.fineTuning?.goals ?? 'released';
  }

  /** Why the games that are chosen give no distances, as far as is known before they are opened; null where they do. */
  get distancesNeed(): string | null {
    const { lab, chosen } = this.#measure;
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
    return need === undefined ? null : needsWords(need, this.#measure.lab.games ?? []);
  }

  forget(): void {
    this.shown = null;
    this.selection = null;
    this.form.goals = null;
    const { domain, lab } = this.#measure;
    if (lab.games?.find(({ key }) => key === this.form.games)?.domain !== domain) this.form.games = ownGames(domain);
  }

  show(stored: StoredSplat): void {
    this.shown = stored;
    this.selection = null;
  }

  open(id: string): void {
    const stored = this.own.find((one) => one.id === id);
    if (stored) this.show(stored);
  }

  showNewest(): void {
    const [newest] = this.own;
    if (this.shown === null && newest) this.show(newest);
  }

  /** Looks at the answers behind a number. */
  select(selection: SplatSelection): void {
    this.selection = selection;
    this.tab = 'answers';
  }

  async refresh(): Promise<void> {
    const { lab } = this.#measure;
    try {
      this.kept = await lab.guard(lab.measure.splats(), 'measure');
    } catch (error) {
      this.kept ??= [];
      this.#measure.fail('splat', {
        code: 'not-listed',
        message: `The kept assessments could not be read (${failureOf(error).message}). New ones work all the same.`,
      });
    }
  }

  async ask(): Promise<void> {
    const measure = this.#measure;
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
        seed: SEED,
      };
      const moved = transferring(request, [train, dev, test, probe].flatMap(buffersOf));
      return service.splat(moved, summary.title, onProgress);
    });
    if (stored === null) return;
    if (stored.notKept) measure.fail('splat', stored.notKept);
    this.kept = [stored, ...(this.kept ?? [])];
    this.show(stored);
  }

  async remove(id: string): Promise<void> {
    const { lab } = this.#measure;
    try {
      await lab.guard(lab.measure.removeSplat(id), 'measure');
      this.kept = (this.kept ?? []).filter((stored) => stored.id !== id);
      if (this.shown?.id === id) {
        this.shown = null;
        this.selection = null;
      }
    } catch (error) {
      lab.tell(failureOf(error));
    }
  }
}
