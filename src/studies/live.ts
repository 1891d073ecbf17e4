import type { Estimate } from '../base/statistics.ts';
import type { Result } from '../base/result.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Corpus } from '../data/corpus.ts';
import type { Notation } from '../domains/domain.ts';
import type { Engine } from '../engine/engine.ts';
import type { Measuring } from './asking/measuring.ts';

/** What a study measures while a model trains: cheap scores of the same held-out games at every evaluation. */
export interface Live {
  /**
   * What is to be measured of a run, before its games have been read: the charts, without a curve and with published
   * values alone.
   * @param games in the training split; null where unknown
   */
  panel(config: RunConfig, games: number | null): LivePanel;
  /**
   * Chooses what is asked at every evaluation. Fails as the study says.
   * @param readShipped as in Measuring; left out where no files are at hand
   */
  prepare(
    config: RunConfig,
    notation: Notation,
    games: HeldOutGames,
    readShipped?: Measuring['readShipped'],
  ): Promise<Result<LiveWatch>>;
}

/** The games of a run: those it learns from, and those held out for perplexity and for questions. */
export interface HeldOutGames {
  train: Corpus;
  dev: Corpus;
  probe: Corpus;
}

/** What one run is asked by one study. */
export interface LiveWatch {
  /** Whether the games leave nothing to ask, or not enough for every curve. */
  readonly empty: boolean;
  /** The study's panel, with what something that has learned nothing scores on the same questions. */
  panel(): LivePanel;
  /** The scores of a model, by name. `pause` runs between batches so that a worker can answer messages. */
  evaluate(engine: Engine, pause?: () => Promise<void>): Promise<Result<LiveScores>>;
}

export type LiveScores = Readonly<Record<string, Estimate>>;

/** One evaluation of a model in training, as it is stored with its run: plain JSON. */
export interface Evaluation {
  step: number;
  /** On held-out games: a move or a token (asking/held-out-perplexity.ts). */
  devPerplexity: number;
  /** By the name of the study. */
  scores: Readonly<Record<string, LiveScores>>;
}

/** What is drawn of a study's scores: plain data. */
export interface LivePanel {
  /** The study's name. */
  study: string;
  title: string;
  /** One of them is looked at at a time; more than one make a choice, which `choice` names. */
  views: LiveView[];
  choice?: string;
  /** Dotted lines: published values, and what something that has learned nothing scores. */
  references: LiveReference[];
  /** How a run is narrated; left out where no score has anything to pass. */
  story?: LiveStory;
}

/** How a run is narrated by its scores: plain data. A "{n}" in a sentence is a score in a hundred. */
export interface LiveStory {
  /** Said before anything is trained: a title, and one sentence of what will be done and what may come of it. */
  opening: { title: string; sentence: string };
  /** In the order in which most runs reach them. */
  milestones: readonly LiveMilestone[];
  /** What is said of the newest scores, and of what they are held against. */
  summary: { score: string; sentence: string; beside?: { reference: string; sentence: string } };
  /** One question whose answer is shown at several moments of the run. */
  question?: LiveQuestion;
}

/** Something that a model has come to do, once the whole interval of a score lies above a threshold. */
export interface LiveMilestone {
  score: string;
  /** A share, or the label of a reference line. */
  above: number | string;
  /** "spells moves". */
  label: string;
  /** "It spells moves." */
  sentence: string;
}

/** A question as a prompt of the board. */
export interface LiveQuestion {
  prompt: string;
  /** Why it is asked. */
  note: string;
}

export interface LiveView {
  title: string;
  charts: LiveChart[];
  /** Whether the charts are many, of one score each: they are listed in the order of learning, and one is drawn. */
  listed?: boolean;
  /** What is shown, in a few sentences; terms of the glossary explain themselves in it. */
  note: string;
}

/** Scores that share one pair of axes. */
export interface LiveChart {
  /** In file names: small letters and dashes. */
  name: string;
  title: string;
  /** What is measured, in a sentence. */
  description?: string;
  /** 'share' is from 0 to 1 and written in percent; everything else is the unit's name, as 'bits'. */
  unit: string;
  /** The one that reference lines speak of unless they say otherwise comes first. */
  scores: LiveScore[];
  /** Why there is no curve, where there will be none. */
  empty?: string;
}

export interface LiveScore {
  /** Its key in LiveScores. */
  name: string;
  /** "End legal". */
  title: string;
  /** What sets it apart from others of the same title: "short". */
  at?: string;
  /** At the end of its curve: "legal". */
  label: string;
  /** Whether it is named where there is room for a few scores only. */
  headline: boolean;
}

/** Something that others score, by the names of the scores. */
export interface LiveReference {
  label: string;
  values: Readonly<Record<string, number>>;
}
