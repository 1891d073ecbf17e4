import type { Unit } from './labels.ts';

/** An answer that a number counts: `assessment` in the list the table was made of, its set, its answer. */
export interface Member {
  assessment: number;
  set: number;
  answer: number;
}

/** One number of a table. */
export interface Cell {
  /** As printed; a dash where there is none. */
  text: string;
  /** The number itself, percent where the table has percent; null where there is none. */
  value: number | null;
  /** 95% interval in the same unit. */
  ci95: [number, number] | null;
  /** Least and greatest value of the runs that were averaged; null for one run. */
  spread: [number, number] | null;
  /** What the paper has in this place; null where it has nothing. */
  published: number | null;
  /** The answers behind the number; null where it does not come from answers. */
  members: (() => Member[]) | null;
}

export interface Row {
  /** One label a heading column ("Train-S", "UCI + RAP 15"). */
  labels: string[];
  cells: Cell[];
  /** True for rows that the paper has and no run of the user's is like: all cells hold published values alone. */
  publishedOnly?: boolean;
}

/** A table as data; markdown.ts, csv.ts and the page draw it. */
export interface Table {
  /** "table-6" for the paper's, else a name. */
  id: string;
  title: string;
  /** What it tells, in plain words for someone who has not read the paper. */
  description: string;
  /** Headings of the label columns, then of the cells; `groups` stand above those of the cells, left to right. */
  headings: { labels: string[]; groups: { title: string; span: number }[]; cells: string[] };
  rows: Row[];
  /** What differs from the paper: data, size, seeds. */
  notes: string[];
}

/** A figure as data; figure-layout.ts places it and svg.ts draws it, in files and on the page. */
export interface Figure {
  id: string;
  title: string;
  description: string;
  kind: 'lines' | 'bars';
  x: {
    title: string;
    /** Where set, x is a place in this list. */
    categories: string[] | null;
    /** Values that the axis reaches, whatever the points are. */
    includes?: readonly number[];
    /** A place that a line across the plot marks. */
    marked?: number | null;
  };
  y: { title: string; logarithmic: boolean; unit: Unit; includes?: readonly number[] };
  /** A run that goes on: curves without marks, 95% intervals as bands, the newest value beside each name. */
  live?: boolean;
  series: FigureSeries[];
  /** Dotted level lines, each in the colour of the series, by its name, that is held against it. */
  references?: readonly FigureReference[];
  /** Points with a short text in a circle, such as the number of a milestone. */
  marks?: readonly FigureMark[];
  /** What stands in the plot while there are no points. */
  empty?: string;
  notes: string[];
}

export interface FigureSeries {
  name: string;
  /** Drawn faint, as the paper's values are. */
  published?: boolean;
  /** The values behind the mean that is the next series: drawn pale in its colour, neither named nor read out. */
  raw?: boolean;
  /** Its place in the palette (figure-style.ts); left out, series take their colours in turn. */
  colour?: number;
  points: readonly FigurePoint[];
}
export interface FigurePoint {
  x: number;
  y: number;
  ci95: [number, number] | null;
  /** What it counts, as of a cell. */
  members?: Cell['members'];
}
export interface FigureMark {
  x: number;
  y: number;
  text: string;
}
export interface FigureReference {
  label: string;
  value: number;
  series: string | null;
}

/** Wrong answers to look at, by kind, each list the whole of it; the page shows the first few as boards. */
export interface Gallery {
  id: string;
  title: string;
  description: string;
  classes: { name: string; description: string; members: Member[] }[];
}
