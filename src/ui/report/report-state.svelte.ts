import { csvOf } from '../../report/csv.ts';
import { markdownOf } from '../../report/markdown.ts';
import { htmlPage } from '../../report/page.ts';
import {
  contentOf,
  hasMeasured,
  isMeasured,
  measuredRows,
  tablesOf,
  type Part,
  type Report,
} from '../../report/report.ts';
import type { Member } from '../../report/table.ts';
import { assessmentsFile } from '../../studies/assessments-file.ts';
import type { StoredStudy } from '../../studies/studies.ts';
import type { Assessed } from '../../studies/study.ts';
import type { Lab } from '../session/lab.svelte.ts';

/** Answers that somebody wants to see, and where they were asked for. */
export interface Shown {
  /** Id of the table or gallery. */
  place: string;
  heading: string;
  members: Member[];
}

/** What a study makes of some assessments, the part of it that is looked at, and the answers behind a chosen number. */
export class ReportState {
  shown = $state.raw<Shown | null>(null);
  /** Also rows, tables and figures that the paper has and no model is like. */
  wholePaper = $state(false);
  #chosenTopic = $state('');

  /** Models name their games by key; people know them by title. */
  assessments = $derived.by((): Assessed[] =>
    this.source().assessments.map((assessment) => {
      const { subject } = assessment;
      const games = this.lab.games.named(subject.games)?.title ?? subject.games;
      return { ...assessment, subject: { ...subject, games } };
    }),
  );
  report = $derived.by((): Report => this.study.stored.report(this.assessments, this.source().games));
  /** What the models are compared by first; null where the study has no such score or nothing was measured. */
  headline = $derived.by(() => this.study.stored.headline?.(this.assessments) ?? null);
  /** All parts that have something to show, of every topic. */
  all = $derived(this.report.parts.flatMap((part) => this.#visible(part)));
  /** Those that have something to show. */
  topics = $derived(
    (this.report.topics ?? []).filter(({ ids }) => this.all.some((part) => ids.test(contentOf(part).id))),
  );
  topic = $derived(this.topics.find(({ title }) => title === this.#chosenTopic) ?? this.topics[0]);
  /** What is drawn: the parts of the topic that is looked at. */
  parts = $derived(this.all.filter((part) => this.#isOfTopic(part)));
  /** Titles of the topic's tables that no model has anything for. */
  empty = $derived(
    tablesOf({ parts: this.report.parts.filter((part) => this.#isOfTopic(part)) })
      .filter((table) => !hasMeasured(table))
      .map(({ title }) => title),
  );
  /** What stands behind a number. */
  counts = $derived(this.report.boards ? 'positions' : 'questions');

  /** Whether its tables have published values, which are there without any model. */
  published = $derived.by(() =>
    tablesOf(this.study.stored.report([], [])).some(({ rows }) => rows.some(({ publishedOnly }) => publishedOnly)),
  );

  constructor(
    private readonly lab: Lab,
    readonly study: StoredStudy,
    /** What is reported on, and what the study counts of games (CountedGames). */
    private readonly source: () => { assessments: readonly Assessed[]; games: readonly unknown[] },
  ) {}

  look(topic: string): void {
    this.#chosenTopic = topic;
    this.shown = null;
  }

  /** All tables in one file. */
  csv(): string {
    return tablesOf({ parts: this.all })
      .map((table) => `${table.title}\r\n${csvOf(table)}`)
      .join('\r\n');
  }

  markdown(): string {
    return [...tablesOf({ parts: this.all }).map(markdownOf), this.report.notice].join('\n');
  }

  /** The report as a page of its own; `made`: the day of making, as people write it. */
  html(made: string): string {
    return htmlPage(this.report, { device: null, command: null, date: made });
  }

  /** The assessments with all answers, as `blindfold report --from` reads them. */
  json(): string {
    const games = [...this.source().games];
    return JSON.stringify(assessmentsFile({ study: this.study, assessments: this.assessments, games }));
  }

  #isOfTopic(part: Part): boolean {
    return this.topic?.ids.test(contentOf(part).id) ?? true;
  }

  /** The part as it is drawn; none where it has nothing of the user's, or with the whole paper nothing at all. */
  #visible(part: Part): Part[] {
    if (!this.wholePaper || part.kind === 'gallery') {
      if (!isMeasured(part)) return [];
      return part.kind === 'table' ? [{ ...part, table: measuredRows(part.table) }] : [part];
    }
    return part.kind === 'table' || part.figure.series.some(({ points }) => points.length > 0) ? [part] : [];
  }
}

/** Where a part stands on the page. */
export const placeOf = (part: Part): string => `part-${contentOf(part).id}`;
