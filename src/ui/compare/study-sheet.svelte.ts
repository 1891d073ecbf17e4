import type { StoredRecord } from '../../../workers/measure/protocol.ts';
import type { GamesSummary } from '../../../workers/data/protocol.ts';
import { failureOf, type Failure } from '../../base/result.ts';
import { modelSummary } from '../../studies/model-labels.ts';
import type { StoredStudy } from '../../studies/studies.ts';
import type { AssessedModel } from '../../studies/subject-schema.ts';
import { date, day } from '../kit/format.ts';
import { ReportState } from '../report/report-state.svelte.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { CrashedError } from '../session/workers.ts';

/** The assessments of a study that this device keeps, which of them are compared, and the report on those. */
export class StudySheet {
  /** Oldest first, as a sweep makes them; null until they are read. */
  stored = $state.raw<StoredRecord[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** What somebody has chosen by hand. */
  #choices = $state.raw<Readonly<Record<string, boolean>>>({});
  /** What the study's tables tell of sets of games, by key; null while one is counted, and where it could not be. */
  #counted = $state.raw<Readonly<Record<string, unknown>>>({});

  chosen = $derived((this.stored ?? []).filter((one) => this.includes(one)));
  /** Those of the sets that the chosen assessments name and this device has, for tables that tell of games. */
  #sets = $derived(
    this.chosen.flatMap((one) => this.#setOf(one) ?? []).filter((set, at, all) => all.indexOf(set) === at),
  );
  readonly view: ReportState;

  constructor(
    private readonly lab: Lab,
    readonly study: StoredStudy,
  ) {
    this.view = new ReportState(lab, study, () => ({
      assessments: this.chosen.map(({ assessment }) => assessment),
      games: this.#facts(),
    }));
  }

  /** What a model is, and what it was asked, in a line each. */
  modelLabel({ assessment: { subject } }: StoredRecord): string {
    return modelSummary(subject);
  }

  /** What the report's tables tell of games; of those that were asked about only where all were asked about one set. */
  #facts(): unknown[] {
    const several = this.chosen.some(({ asked }) => asked.games !== this.chosen[0].asked.games);
    if (this.study.stored.games?.of === 'asked' && several) return [];
    return this.#sets.flatMap(({ key }) => this.#counted[key] ?? []);
  }

  askedLabel({ assessment, asked, createdAt, recorded }: StoredRecord): string {
    const from = asked.games === '' ? '' : `, from ${asked.games}`;
    const when = recorded ? `measured when the model was made, ${day(createdAt)}` : date(createdAt);
    return `${this.study.stored.label(assessment)}${from}, ${when}`;
  }

  /** Reads what is kept; the tables follow. */
  async refresh(): Promise<void> {
    try {
      const records = await this.lab.workers.guard(this.lab.workers.measure.list(this.study.name), 'measure');
      const recorded = await this.lab.shippedScores.of(this.study.name);
      const before = this.chosen.map(({ id }) => id).join(' ');
      this.stored = [...recorded, ...records.toSorted((a, b) => a.createdAt - b.createdAt)];
      // Members count in the list that the tables were made of.
      if (this.chosen.map(({ id }) => id).join(' ') !== before) this.view.shown = null;
      this.failure = null;
    } catch (error) {
      this.#fail(error);
      this.stored ??= [];
    }
  }

  /**
   * Whether an assessment is compared: by choice, else where it is the newest of its model; what records tell, only where
   * nothing was measured here.
   */
  includes(one: StoredRecord): boolean {
    const others = this.stored ?? [];
    if (one.recorded && others.some(({ recorded }) => !recorded)) return this.#choices[one.id] ?? false;
    return this.#choices[one.id] ?? !others.some((other) => sameModel(one, other) && newer(other, one));
  }

  include(id: string, yes: boolean): void {
    this.#choices = { ...this.#choices, [id]: yes };
    this.view.shown = null;
  }

  async remove(id: string): Promise<void> {
    this.view.shown = null;
    try {
      await this.lab.workers.guard(this.lab.workers.measure.remove(this.study.name, id), 'measure');
    } catch (error) {
      this.#fail(error);
    }
    await this.refresh();
  }

  /** Has the games counted that tables tell of, one set after another; where they are gone it stays undone. */
  async countGames(): Promise<void> {
    for (const { key } of this.#sets) {
      if (key in this.#counted) continue;
      this.#counted = { ...this.#counted, [key]: null };
      try {
        const facts = await this.lab.workers.guard(this.lab.workers.measure.count(this.study.name, key), 'measure');
        if (facts.ok) this.#counted = { ...this.#counted, [key]: facts.value };
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  /** The set of games that an assessment names; null where no table needs it or this device has it no more. */
  #setOf({ asked, assessment: { subject } }: StoredRecord): GamesSummary | null {
    const of = this.study.stored.games?.of;
    const isNamed = ({ key, title, domain }: GamesSummary): boolean =>
      (of === 'learned' ? key === subject.games : title === asked.games) &&
      this.study.appliesTo({ domain, notation: subject.notation });
    return of === undefined ? null : (this.lab.games.list?.find(isNamed) ?? null);
  }

  /** Crashes of a worker are told elsewhere. */
  #fail(error: unknown): void {
    if (!(error instanceof CrashedError)) this.failure = failureOf(error);
  }
}

function sameModel(a: StoredRecord, b: StoredRecord): boolean {
  return a.run === b.run && (a.run !== null || isOneModel(a.assessment.subject, b.assessment.subject));
}

/** Shipped models of several games have one name. */
function isOneModel(a: AssessedModel, b: AssessedModel): boolean {
  return a.name === b.name && a.games === b.games;
}

function newer(a: StoredRecord, b: StoredRecord): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);
}
