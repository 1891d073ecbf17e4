import type { Failure, Result } from '../../src/base/result.ts';
import type { OwnQuestion } from '../../src/config/questions-schema.ts';
import type { Query } from '../../src/domains/chess/prompt.ts';
import type { AssessedModel, Assessment } from '../../src/studies/testbed/assessment.ts';
import type { BigbenchReport } from '../../src/studies/bigbench/bigbench.ts';
import type { PromptComparison } from '../../src/studies/what-if/compare-prompts.ts';
import type { Counterfactual } from '../../src/studies/what-if/counterfactual.ts';
import type { BoardEdit } from '../../src/studies/what-if/edited-board.ts';
import type { EndMap, GameMap } from '../../src/studies/board-map/game-map.ts';
import type { EquivalenceReport } from '../../src/studies/equivalence/equivalence.ts';
import type { LegalGamesReport } from '../../src/studies/self-play/legal-games.ts';
import type { PromptAnswer } from '../../src/studies/asking/prompt-answer.ts';
import type { PrefixRange } from '../../src/studies/scores.ts';
import type { SplatAssessment } from '../../src/studies/splat/splat-assessment.ts';
import type { SoundnessReport } from '../../src/studies/soundness/soundness.ts';
import type { CorpusBuffers } from '../data/protocol.ts';

/** Which model is measured. */
export type MeasuredModel =
  /** A run of this device, at its newest checkpoint; `trainGames`: how many games it learns from, where known. */
  | { kind: 'run'; id: string; trainGames?: number | null }
  /** A model from the files of its folder, packed in a .zip or not: the shipped one, or one dropped on the page. */
  | { kind: 'files'; name: string; files: Map<string, Uint8Array> };

export interface MeasureProgress {
  /** What is happening, for people: "End and Start squares, long prefixes". */
  words: string;
  /** 0 to 1. */
  share: number;
}

export interface AssessRequest {
  games: { train: CorpusBuffers; dev: CorpusBuffers; test: CorpusBuffers; probe: CorpusBuffers };
  ranges: PrefixRange[];
  /** Probing instances for each range. */
  instances: number;
  /** Held-out games for perplexity, of dev and of test each. */
  perplexityGames: number;
  /** Also probe prefixes of uniformly random legal play. */
  randomPlay: boolean;
  seed: number;
}

/** An assessment that this device keeps. */
export interface StoredAssessment {
  id: string;
  /** The run it is of; null for models that are no runs. */
  run: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** What was asked, without the games. */
  asked: Pick<AssessRequest, 'ranges' | 'instances' | 'perplexityGames' | 'randomPlay' | 'seed'> & { games: string };
  assessment: Assessment;
  /** Why it could not be kept, where it could not; it is whole all the same. Never part of what is kept. */
  notKept?: Failure;
}

/** A story, and what is to be different in it. */
export interface WhatIfRequest {
  prompt: string;
  /** A change of its last board, or of its last plies; a `line` of null is drawn by the seed. */
  edit: BoardEdit | { kind: 'instead'; plies: number; line: string | null };
  /** 'rules': every move stays legal. 'tokens': pieces may jump; the tokens say so, the rules do not. */
  legality: 'rules' | 'tokens';
  seed: number;
}

export interface SplatRequest {
  games: { train: CorpusBuffers; dev: CorpusBuffers; test: CorpusBuffers; probe: CorpusBuffers };
  /** Questions of each kind, and prefixes for Legal Verbs. */
  questions: number;
  /** Held-out games for perplexity. */
  perplexityGames: number;
  /** As QuestionsConfig.goals. */
  goals: 'released' | 'corrected';
  /** Questions asked beside the game's own; the model must have learned them. */
  own: OwnQuestion[];
  /**
   * Whether the nearest fine-tuning state of each question is looked for. It is only where the games are those that the
   * model was fine-tuned on: `manifest` names them as its config does.
   */
  distances: boolean;
  manifest: string;
  /** What must be said wherever these games are used. */
  notice?: string;
  seed: number;
}

/** A SPLAT assessment that this device keeps; as StoredAssessment. */
export interface StoredSplat {
  id: string;
  run: string | null;
  createdAt: number;
  asked: Omit<SplatRequest, 'games' | 'manifest' | 'notice'> & { games: string };
  assessment: SplatAssessment;
  /** The games that distances would have needed, as the model's config names them; left out where none were missed. */
  distancesNeed?: string;
  notKept?: Failure;
}

/** The state as a model believes it after every event of a game, beside the truth (section 5.4 of SPLAT asks some of it). */
export interface StateMap {
  domain: string;
  /** [n] the events' own texts; states 0 .. n are before the first and after each. */
  events: string[];
  variables: string[];
  /** [n + 1][variables] */
  truth: string[][];
  believed: string[][];
  /** [(n + 1) * variables] what the model gives the truth. */
  truthProbability: Float32Array;
}

export interface WhatIfReport {
  /** Both prompts in canonical UCI text. */
  first: string;
  second: string;
  /** [64] piece codes of the story's own last board. */
  board: Uint8Array;
  counterfactual: Counterfactual;
  /** What both were asked. */
  query: Query;
  /** The answers to both, all tokens judged. */
  answers: [PromptAnswer, PromptAnswer];
  comparison: PromptComparison;
}

/**
 * Long measurements of one model at a time, in a worker of their own so that neither prompts nor training wait. A
 * measurement that `cancel` ends gives the failure `cancelled`; one that is begun beside another is refused (`busy`),
 * while `mapEnds` and `answer` are short and asked at any time. The next `open` ends what is under way.
 */
export interface MeasureService {
  open(model: MeasuredModel): Promise<Result<AssessedModel>>;
  /** All tasks and tables' material; kept on this device under the games' name. */
  assess(
    request: AssessRequest,
    gamesName: string,
    onProgress: (progress: MeasureProgress) => void,
  ): Promise<Result<StoredAssessment>>;
  /** A chess_state_tracking file of BIG-bench, by its text. */
  bigbench(
    text: string,
    name: string,
    onProgress: (progress: MeasureProgress) => void,
  ): Promise<Result<BigbenchReport>>;
  /** Where the model sees every piece, ply by ply through a game (any prompt text). */
  mapGame(game: string, onProgress: (progress: MeasureProgress) => void): Promise<Result<GameMap>>;
  /** Where every movable piece would go at the end of a prompt. */
  mapEnds(prompt: string): Promise<Result<EndMap>>;
  /** A story and the same with one thing changed: both boards, and how the model's answers differ. */
  whatIf(request: WhatIfRequest, onProgress: (progress: MeasureProgress) => void): Promise<Result<WhatIfReport>>;
  /** The answers to prompts. */
  answer(prompts: string[]): Promise<Result<PromptAnswer>[]>;
  /** Share of games that the model plays against itself without one illegal ply. */
  legalGames(
    request: { games: CorpusBuffers; count: number; warmUp: number; plies: number; temperature: number; seed: number },
    onProgress: (progress: MeasureProgress) => void,
  ): Promise<Result<LegalGamesReport>>;
  /** Attack success of adversaries that only play legal moves. */
  soundness(
    request: { games: CorpusBuffers; count: number; warmUp: number; plies: number; seed: number },
    onProgress: (progress: MeasureProgress) => void,
  ): Promise<Result<SoundnessReport>>;
  /** Compression and distinction on transpositions. */
  equivalence(
    request: { games: CorpusBuffers; pairs: number; suffixes: number; epsilon: number; seed: number },
    onProgress: (progress: MeasureProgress) => void,
  ): Promise<Result<EquivalenceReport>>;
  /** SPLAT's tasks; kept on this device under the games' name. For models of the notation "splat". */
  splat(
    request: SplatRequest,
    gamesName: string,
    onProgress: (progress: MeasureProgress) => void,
  ): Promise<Result<StoredSplat>>;
  /** Asks for every state variable after each of the events `from` .. `to` of a game in the domain's own text. */
  mapStates(
    request: { line: string; from: number; to: number },
    onProgress: (progress: MeasureProgress) => void,
  ): Promise<Result<StateMap>>;
  /** Newest first. */
  splats(): Promise<StoredSplat[]>;
  removeSplat(id: string): Promise<void>;
  cancel(): Promise<void>;
  /** Newest first. */
  assessments(): Promise<StoredAssessment[]>;
  removeAssessment(id: string): Promise<void>;
}
