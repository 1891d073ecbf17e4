import { failureOf, type Failure } from '../../base/result.ts';
import { hasOwn } from '../../report/report.ts';
import { drawsOwn } from '../../report/report.ts';
import type { Figure, Member, Table } from '../../report/table.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { CrashedError } from '../session/workers.ts';

/** Answers that somebody wants to see, and where they were asked for. */
export interface Shown {
  /** Id of the table or gallery. */
  place: string;
  words: string;
  members: Member[];
}

/** What is needed of a kept assessment to compare it. */
export interface Comparable {
  id: string;
  /** The run it is of; null for models that are no runs. */
  run: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  assessment: { subject: { name: string } };
}

/** The assessments of a kind that this device keeps, which of them are compared, and the tables and figures of those. */
export abstract class CompareSheet<S extends Comparable> {
  /** Oldest first, as a sweep makes them; null until they are read. */
  kept = $state.raw<S[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  shown = $state.raw<Shown | null>(null);
  /** Also rows and tables that the paper has and no model is like. */
  wholePaper = $state(false);
  /** What somebody has chosen by hand. */
  #choices = $state.raw<Readonly<Record<string, boolean>>>({});

  chosen = $derived((this.kept ?? []).filter((one) => this.includes(one)));
  #tables = $derived(this.everyTable());
  tables = $derived(this.wholePaper ? this.#tables : this.#tables.filter(hasOwn).map(ownRows));
  /** Titles of the tables that no chosen model has anything for. */
  empty = $derived(this.#tables.filter((table) => !hasOwn(table)).map(({ title }) => title));
  figures = $derived(this.everyFigure().filter((figure) => this.wholePaper || drawsOwn(figure)));

  constructor(protected readonly lab: Lab) {}

  /** In the worker: all that is kept, and the end of one. */
  protected abstract read(): Promise<S[]>;
  protected abstract erase(id: string): Promise<void>;
  /** All tables and figures of the paper, with what the chosen models have in them. */
  protected abstract everyTable(): Table[];
  protected abstract everyFigure(): Figure[];
  /** What a model is, and what it was asked, in a line each. */
  abstract modelWords(one: S): string;
  abstract askedWords(one: S): string;
  /** What the names of saved files begin with. */
  abstract readonly files: string;
  /** All tables and figures as a page of their own; `date`: the day of making, as people write it. */
  abstract html(date: string): string;
  /** The assessments that are compared, as `blindfold report --from` reads them. */
  abstract json(): string;

  /** What must be said wherever these games are used; '' where there is nothing. */
  get notice(): string {
    return '';
  }

  /** Reads what is kept; the tables follow. */
  async refresh(): Promise<void> {
    try {
      const kept = await this.lab.guard(this.read(), 'measure');
      const before = this.chosen.map(({ id }) => id).join(' ');
      this.kept = kept.toSorted((a, b) => a.createdAt - b.createdAt);
      // Members count in the list that the tables were made of.
      if (this.chosen.map(({ id }) => id).join(' ') !== before) this.shown = null;
      this.failure = null;
    } catch (error) {
      this.fail(error);
      this.kept ??= [];
    }
  }

  /** Whether an assessment is compared: by choice, else where it is the newest of its model. */
  includes(one: S): boolean {
    return this.#choices[one.id] ?? !(this.kept ?? []).some((other) => sameModel(one, other) && newer(other, one));
  }

  include(id: string, yes: boolean): void {
    this.#choices = { ...this.#choices, [id]: yes };
    this.shown = null;
  }

  async remove(id: string): Promise<void> {
    this.shown = null;
    try {
      await this.lab.guard(this.erase(id), 'measure');
    } catch (error) {
      this.fail(error);
    }
    await this.refresh();
  }

  /** Crashes of a worker are told elsewhere. */
  protected fail(error: unknown): void {
    if (!(error instanceof CrashedError)) this.failure = failureOf(error);
  }
}

function sameModel(a: Comparable, b: Comparable): boolean {
  return a.run === b.run && (a.run !== null || a.assessment.subject.name === b.assessment.subject.name);
}

function newer(a: Comparable, b: Comparable): boolean {
  return a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);
}

function ownRows(table: Table): Table {
  return { ...table, rows: table.rows.filter(({ publishedOnly }) => !publishedOnly) };
}
