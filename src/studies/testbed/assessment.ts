import type { ModelKindName } from '../../config/model-schema.ts';
import type { Objective } from '../../config/objectives.ts';
import type { PieceLetter } from '../../domains/chess/rules/pieces.ts';
import type { ErrorClass } from './error-taxonomy.ts';
import type { Instance } from './instances.ts';
import type { PrefixRange } from './prefix-ranges.ts';
import type { TaskName, TaskReport } from './tasks.ts';

/**
 * Everything that the tables of the chess testbed (Toshniwal et al. 2022) are computed from, for one model: its
 * perplexities and each of its answers, with what the tables count by. Plain JSON; tables and figures are pure
 * functions of a list of these (src/report), so that every number leads back to its instances.
 */
export interface Assessment {
  version: 1;
  subject: AssessedModel;
  perplexity: { dev: PerplexityFigure | null; test: PerplexityFigure | null };
  /** One for each range of prefix lengths that was probed. */
  sets: AssessedSet[];
}

/** Which model was assessed, as the tables name it. */
export interface AssessedModel {
  /** "tiny 2", "the shipped model". */
  name: string;
  kind: ModelKindName;
  layers: number;
  width: number;
  parameters: number;
  /** Missing in older assessments and where a kind has none. */
  heads?: number;
  dropout?: number;
  /** Tokens that a token sees, itself included; null sees all before it. */
  window: number | null;
  /** "uci", "rap:15", "ap". */
  notation: string;
  objective: Objective;
  /** With which it learned what piece moves; missing where it did not. */
  pieceWeight?: number;
  /** Of what is legal, where it is not the usual one. */
  legalWeight?: number;
  /** Name of the games it was trained on, and how many there were; null where unknown. */
  games: string;
  trainGames: number | null;
  steps: number;
  /**
   * Most steps of a run that may end sooner, or end with an earlier step's weights, by its scores: seeds of one
   * configuration then differ in `steps`. Null for other runs; absent from assessments made before it was kept.
   */
  planned?: number | null;
  tokens: number | null;
  seed: number;
  /** How it was fine-tuned on questions (SPLAT); null or missing for models that read games alone. */
  fineTuning?: FineTuning | null;
  /** How the tokens of another maker's model were matched with its notation's; missing for models of the lab. */
  vocabulary?: MatchedVocabulary;
}

export interface MatchedVocabulary {
  /** Tokens of the notation that the model has. */
  matched: number;
  /** Those that it does not have. */
  missing: string[];
  /** How many tokens of the model mean nothing here. */
  foreign: number;
}

export interface FineTuning {
  start: 'pre-trained weights' | 'random weights';
  /** The model that the weights came from, as the run's config names it; null for random weights. */
  base: { id: string; name: string } | null;
  /** How goal questions continue baseball games (src/studies/splat/questions/question.ts). */
  goals: 'released' | 'corrected';
}

export interface PerplexityFigure {
  games: number;
  /** Plies. */
  moves: number;
  perplexity: number;
}

export interface AssessedSet {
  range: PrefixRange;
  /** Where the prefixes come from: games people or engines played, or uniformly random legal play. */
  source: 'games' | 'random play';
  instances: readonly Instance[];
  answers: readonly Answer[];
  /** What a model's record tells in place of answers; missing where answers are here. */
  recorded?: RecordedScores;
}

/** The scores of a set whose answers were not stored (src/interchange/records/training-record.ts). */
export interface RecordedScores {
  tasks: Readonly<Record<TaskName, TaskReport>>;
  /** The command that makes the questions again: two sets of one command were asked the same. */
  questions: string;
  /** Which games the prefixes are of, where that is not the usual kind: "rated on Lichess, 2018 to 2022". */
  of?: string;
}

/** One answer, judged, with what the tables count it by. */
export interface Answer {
  task: TaskName;
  /** Index into the set's instances. */
  instance: number;
  /** The token that ended the prompt: a start square or a piece letter (with UCI+AP, End prompts have both). */
  prompt: string;
  /** Plies before the question. */
  plies: number;
  /** The piece asked about. */
  piece: PieceLetter;
  /** The model's likeliest token. */
  top: string;
  /** How many answers are legal. */
  legalCount: number;
  legal: boolean;
  /** Null for Other tasks, which have no exact answer. */
  exact: boolean | null;
  rPrecision: number;
  /** End tasks only: the class of a wrong answer. */
  error: ErrorClass | null;
  /** Whether the side to move was in check before the question (Table 13). */
  inCheck: boolean;
  /** End tasks whose token is a square: king moves from the prompt's square to it (Chebyshev distance, Figure 8). */
  pathLength: number | null;
}
