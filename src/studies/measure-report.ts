import { count, millions } from '../report/labels.ts';
import { chartsOf, type AnswerView, type Report } from '../report/report.ts';
import type { Cell, Figure, Member, Row } from '../report/table.ts';
import { oneDecimal, paperAlone, plainCell, toldCell } from './cells.ts';
import type { AnyStudy, Assessed } from './study.ts';
import { modelShape } from './model-labels.ts';

/** One number of a measure: a share (drawn in percent), a count or a mean; null where there is none. */
export type MeasuredValue =
  | { share: number | null; ci95?: [number, number] | null; published?: number | null }
  | { count: number }
  | { mean: number | null };

/** How a measure is drawn: a table with a row, or several, for each assessment. */
export interface MeasureLayout<Assessment extends Assessed> {
  /** What each row of an assessment is of; [''] where it has one. */
  rows: (assessment: Assessment) => readonly string[];
  /** Over the labels of `rows`; '' where they say nothing. */
  heading: string;
  columns: readonly { title: string; value: (assessment: Assessment, row: number) => MeasuredValue }[];
  /** The answers behind a row, wrong ones or all; without `right`, wrong. */
  answers: (
    assessment: Assessment,
    row: number,
  ) => readonly (Pick<AnswerView, 'question' | 'verdict' | 'prompt'> & Partial<Pick<AnswerView, 'right' | 'more'>>)[];
  /** What must be known of an assessment's row beside its numbers. */
  notes?: (assessment: Assessment) => readonly string[];
  figure?: (assessments: readonly Assessment[]) => Figure | null;
  /** What the paper has: a row each, with a value or null for each column. */
  published?: readonly { name: string; row: string; values: readonly (number | null)[] }[];
}

/** The report of a study whose assessments come to a few numbers each. */
export function measureReport<Assessment extends Assessed>(
  { name, title, description, source }: AnyStudy,
  assessments: readonly Assessment[],
  layout: MeasureLayout<Assessment>,
): Report {
  const { columns, heading, published = [] } = layout;
  const labelled = heading !== '';
  const measured = assessments.flatMap((assessment, at) =>
    layout.rows(assessment).map((label, row): Row => {
      const members = layout
        .answers(assessment, row)
        .map((_, answer): Member => ({ assessment: at, set: row, answer }));
      return {
        labels: [assessment.subject.name, ...(labelled ? [label] : [])],
        cells: columns.map(({ value }) => cellOf(value(assessment, row), members)),
      };
    }),
  );
  const papers = published.map(({ name: model, row, values }) =>
    paperAlone([model, ...(labelled ? [row] : [])], values),
  );
  const figure = layout.figure?.(assessments) ?? null;
  const answer = ({ assessment, set, answer: place }: Member): AnswerView => {
    const { question, verdict, right = false, more = '', prompt } = layout.answers(assessments[assessment], set)[place];
    return { question, verdict, right, more, prompt, model: assessments[assessment].subject.name, board: null };
  };
  const headings = { labels: ['Model', ...(labelled ? [heading] : [])], groups: [] };
  const table = {
    ...{ id: name, title, description },
    notes: [source, ...assessments.flatMap((one) => layout.notes?.(one) ?? [])],
    headings: { ...headings, cells: columns.map((column) => column.title) },
    rows: [...measured, ...papers],
  };
  return {
    title,
    introduction: description,
    runs: modelRuns(assessments),
    facts: [],
    parts: chartsOf([table], figure ? [figure] : []),
    answer,
    isRight: (member) => answer(member).right,
    right: 'right',
    boards: false,
    notice: '',
  };
}

/** A report's list of runs: what each model is. */
export function modelRuns(assessments: readonly Assessed[]): Report['runs'] {
  return {
    headings: ['Run', 'Model', 'Parameters', 'Notation', 'Steps', 'Seed'],
    rows: assessments.map(({ subject }) => [
      subject.name,
      modelShape(subject),
      millions(subject.parameters),
      subject.notation,
      count(subject.steps),
      String(subject.seed),
    ]),
  };
}

function cellOf(measured: MeasuredValue, members: Member[]): Cell {
  if ('count' in measured) return plainCell(measured.count, count);
  if ('mean' in measured) return plainCell(measured.mean, oneDecimal);
  const { share, ci95 = null, published = null } = measured;
  return toldCell(share, ci95, published, members.length === 0 ? null : () => members);
}
