import { sink } from '../../../workers/wire.ts';
import type { StoredAssessment } from '../../../workers/measure/protocol.ts';
import { Corpus } from '../../data/corpus.ts';
import type { Assessment } from '../../probes/assessment.ts';
import { hasOwn } from '../../reports/matched-rows.ts';
import { gamesFacts, type GamesFacts, type ReportInput } from '../../reports/report-input.ts';
import { drawsOwn, figuresOf, galleriesOf, tablesOf } from '../../reports/report.ts';
import type { Member, Table } from '../../reports/table.ts';
import { failureOf, type Failure } from '../../base/result.ts';
import type { Lab } from './lab.svelte.ts';
import { SweepForm } from './sweep-form.svelte.ts';
import { CrashedError } from './workers.ts';

/** Answers that somebody wants to see, and where they were asked for. */
export interface Shown {
  /** Id of the table or gallery. */
  place: string;
  words: string;
  members: Member[];
}

/** The assessments that this device keeps, which of them are compared, and the tables and figures of those. */
export class CompareState {
  /** Oldest first, as a sweep makes them; null until they are read. */
  kept = $state.raw<StoredAssessment[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  shown = $state.raw<Shown | null>(null);
  /** Also rows and tables that the paper has and no run is like. */
  wholePaper = $state(false);
  readonly form = new SweepForm();
  /** What somebody has chosen by hand. */
  #choices = $state.raw<Readonly<Record<string, boolean>>>({});
  #lab: Lab;

  chosen = $derived((this.kept ?? []).filter((one) => this.includes(one)));
  assessments = $derived<Assessment[]>(this.chosen.map(({ assessment }) => assessment));
  /** Title of the games that all chosen runs were measured on; null where they differ. */
  gamesTitle = $derived.by(() => {
    const [first, ...others] = this.chosen.map(({ asked }) => asked.games);
    return first !== undefined && others.every((title) => title === first) ? first : null;
  });
  #facts = $state.raw<GamesFacts | null>(null);
  input = $derived<ReportInput>({
    assessments: this.assessments,
    games: this.#facts?.name === this.gamesTitle ? this.#facts : null,
  });
  #tables = $derived(tablesOf(this.input));
  tables = $derived(this.wholePaper ? this.#tables : this.#tables.filter(hasOwn).map(ownRows));
  /** Titles of the tables that no chosen run has anything for. */
  empty = $derived(this.#tables.filter((table) => !hasOwn(table)).map(({ title }) => title));
  figures = $derived(figuresOf(this.input).filter((figure) => this.wholePaper || drawsOwn(figure)));
  galleries = $derived(galleriesOf(this.input));

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  /** Reads what is kept; the tables follow. */
  async refresh(): Promise<void> {
    try {
      const kept = await this.#lab.guard(this.#lab.measure.assessments(), 'measure');
      this.kept = kept.toSorted((a, b) => a.createdAt - b.createdAt);
      this.failure = null;
    } catch (error) {
      if (!(error instanceof CrashedError)) this.failure = failureOf(error);
      this.kept ??= [];
    }
  }

  /** Whether an assessment is compared: by choice, else where it is the newest of its model. */
  includes(one: StoredAssessment): boolean {
    return this.#choices[one.id] ?? !(this.kept ?? []).some((other) => sameModel(one, other) && newer(other, one));
  }

  include(id: string, yes: boolean): void {
    this.#choices = { ...this.#choices, [id]: yes };
    // Members count in the list that the tables were made of.
    this.shown = null;
  }

  async remove(id: string): Promise<void> {
    this.shown = null;
    try {
      await this.#lab.guard(this.#lab.measure.removeAssessment(id), 'measure');
    } catch (error) {
      if (!(error instanceof CrashedError)) this.failure = failureOf(error);
    }
    await this.refresh();
  }

  /** Counts the chosen runs' games (Table 9, Figure 3), which takes a moment; where they are gone it stays undone. */
  async countGames(): Promise<void> {
    const title = this.gamesTitle;
    const set = this.#lab.games?.find((games) => games.title === title);
    if (!set || this.#facts?.name === title) return;
    try {
      const opened = await this.#lab.guard(
        this.#lab.data.open(
          set.key,
          sink(() => {}),
        ),
      );
      if (!opened.ok) return;
      const { train, dev, test, probe } = opened.value;
      const [a, b, c, d] = [train, dev, test, probe].map(({ moves, offsets }) => new Corpus(moves, offsets));
      this.#facts = gamesFacts(set.title, { train: a, dev: b, ...(c.length > 0 ? { test: c } : {}), probe: d });
    } catch (error) {
      if (!(error instanceof CrashedError)) this.failure = failureOf(error);
    }
  }
}

/** One state for as long as the page lives, so that looking elsewhere loses no choice. */
export function compareOf(lab: Lab): CompareState {
  return (held ??= new CompareState(lab));
}
let held: CompareState | null = null;

function sameModel(a: StoredAssessment, b: StoredAssessment): boolean {
  return a.run === b.run && (a.run !== null || a.assessment.subject.name === b.assessment.subject.name);
}

function newer(a: StoredAssessment, b: StoredAssessment): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);
}

function ownRows(table: Table): Table {
  return { ...table, rows: table.rows.filter(({ publishedOnly }) => !publishedOnly) };
}
