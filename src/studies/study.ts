import type { GenericSchema } from 'valibot';
import type { Result } from '../base/result.ts';
import type { TextTokenizer } from '../base/text-tokenizer.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { Corpus } from '../data/corpus.ts';
import type { Notation } from '../domains/domain.ts';
import type { Engine } from '../engine/engine.ts';
import type { Headline } from '../report/headline.ts';
import type { Report } from '../report/report.ts';
import type { Measuring } from './asking/measuring.ts';
import type { Live } from './live.ts';
import type { RecordedModel } from './recorded-model.ts';
import type { Published } from './published.ts';
import type { SettingsSchema } from './setting-fields.ts';
import type { AssessedModel } from './subject-schema.ts';

/**
 * The third contract beside Domain and Engine: what is asked of a model. A study says which models it can ask, what one
 * may choose, how a model answers, and what tables, figures and pictures its answers make. Everything above src/studies
 * (workers, command line, page) goes through the list in studies.ts and asks of no study which one it is.
 */
export interface Study<Settings extends object = never, Assessment = unknown> {
  /** In commands, files and addresses: small letters and dashes. */
  readonly name: string;
  readonly title: string;
  /** The paper and section that it implements. */
  readonly source: string;
  /** What it tells, and what it is for the best and the worst of models: a few sentences. */
  readonly description: string;
  /** Whether models that read this notation of this game can be asked. */
  appliesTo(model: { domain: string; notation: string }): boolean;
  /** What people are told where it does not apply: a sentence with what to do. */
  readonly refusal: string;
  /** What one may choose, with defaults; the form, the options of the command line and the checks come from it. */
  readonly settings: SettingsSchema<Settings>;
  /** Names of the settings that make no difference to a model; left out where all matter to all. */
  idle?(model: { domain: string; subject: AssessedModel }): string[];
  /** The games that it asks about: those of "probe" or of "test"; null where it needs none. */
  readonly games: 'probe' | 'test' | null;
  /** True for what is answered at once, also beside a long measurement. */
  readonly brief?: boolean;
  /**
   * Makes the items from the games with the settings' seed and lets the model answer all of them. `games` is null only
   * where the study needs none. Fails as the study says, and with `cancelled`.
   */
  assess(
    engine: Engine,
    subject: Subject,
    games: StudyGames | null,
    settings: Settings,
    measuring: Measuring,
  ): Promise<Result<Assessment>>;
  /** The same of a model of text, as its own tokenizer reads it; left out by studies of games. */
  assessText?(
    engine: Engine,
    subject: TextSubject,
    settings: Settings,
    measuring: Measuring,
  ): Promise<Result<Assessment>>;
  /** What is scored while a model trains; left out where that takes too long. */
  readonly live?: Live;
  /**
   * What the paper has of the model most like this one, by the rules of the study's tables; null where it has none.
   * @param games in the training split; null where unknown
   */
  publishedFor?(config: RunConfig, games: number | null): Published | null;
  /** What is stored and drawn; null for answers that are looked at and forgotten. */
  readonly stored: StoredAnswers<Assessment> | null;
}

/** What becomes of a study's answers: how they are stored, and what they are drawn as. */
export interface StoredAnswers<Assessment> {
  /** An assessment as it comes from a file; types are inferred from it where nothing else needs them. */
  readonly schema: GenericSchema<unknown, Assessment>;
  /** What the tables tell of games themselves; left out where they tell nothing of them. */
  readonly games?: CountedGames;
  /**
   * All tables and figures, published values among them; with no assessments, published values alone.
   * @param games what `games.count` has found of the sets that the tables tell of
   */
  report(assessments: readonly Assessment[], games: readonly unknown[], layout?: ReportLayout): Report;
  /** The score that says first which model is better; left out where no one score does. Null with nothing to compare. */
  headline?(assessments: readonly Assessment[]): Headline | null;
  /**
   * Those of the other assessments, newest first, that a report on one sets beside it, such as that of the model it came
   * from; left out where there are none.
   */
  beside?(assessment: Assessment, others: readonly Assessment[]): Assessment[];
  /**
   * What the record of a shipped model tells, as an assessment that is drawn like any other; null where the record is of
   * another study's scores. Left out where no record has such scores.
   */
  recorded?(subject: AssessedModel, record: RecordedModel): Assessment | null;
  /** One assessment in a line: what it was asked. */
  label(assessment: Assessment): string;
}

/** How a study's tables tell of games themselves, and what a file keeps of them without the games. */
export interface CountedGames<Facts = unknown> {
  /** The sets that `report` tells of: those that models learned from, or those that they were asked about. */
  readonly of: 'learned' | 'asked';
  readonly schema: GenericSchema<unknown, Facts>;
  /** Null where the study cannot ask about these games. */
  count(games: GamesSet): Facts | null;
}

export interface ReportLayout {
  /** Wide tables whole, as the paper has them, rather than in parts that fit a screen. */
  whole?: boolean;
}

/** A model that is open to be asked. */
export interface Subject {
  notation: Notation;
  /** Null for a model whose folder does not tell how it was trained. */
  config: RunConfig | null;
  about: AssessedModel;
}

/** A third-party model that reads text. */
export interface TextSubject {
  tokenizer: TextTokenizer;
  about: AssessedModel;
}

/** Held-out games with the games that the model learned from, which some studies keep apart from them. */
export interface StudyGames extends GamesSet {
  /** Names the games as a run's config does. */
  manifest: string;
}

/** A set of games by split, for the tables that tell of games themselves. */
export interface GamesSet {
  name: string;
  domain: string;
  train: Corpus;
  dev: Corpus;
  test: Corpus;
  probe: Corpus;
  /** What must be said wherever these games are used. */
  notice?: string;
}

/** Every stored assessment tells its model. */
export interface Assessed {
  subject: AssessedModel;
}

/** An assessment that a device or a file keeps, with what was asked. */
export interface Stored<Assessment extends Assessed = Assessed> {
  id: string;
  study: string;
  /** The run it is of; null for models that are no runs. */
  run: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The settings, and the name of the games. */
  asked: Record<string, unknown> & { games: string };
  assessment: Assessment;
}

/** A study of whatever settings and assessments, as the list holds it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the list is of studies of all kinds; `any` is both what they take and what they give
export type AnyStudy = Study<any, any>;
