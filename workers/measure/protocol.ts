import type { Result } from '../../src/base/result.ts';
import type { AssessedModel, Assessment } from '../../src/probes/assessment.ts';
import type { BigbenchReport } from '../../src/probes/bigbench.ts';
import type { EndMap, GameMap } from '../../src/probes/game-map.ts';
import type { EquivalenceReport } from '../../src/probes/equivalence.ts';
import type { LegalGamesReport } from '../../src/probes/legal-games.ts';
import type { PromptAnswer } from '../../src/probes/prompt-answer.ts';
import type { PrefixRange } from '../../src/probes/scores.ts';
import type { SoundnessReport } from '../../src/probes/soundness.ts';
import type { CorpusBuffers } from '../data/protocol.ts';

/** Which model is measured. */
export type MeasuredModel =
  /** A run of this device, at its newest checkpoint. */
  | { kind: 'run'; id: string }
  /** A model from the files of its folder: the shipped one, or one dropped on the page. */
  | { kind: 'files'; name: string; files: Map<string, Uint8Array> };

export interface MeasureProgress {
  /** What is happening, for people: "End and Start squares, long prefixes". */
  words: string;
  /** 0 to 1. */
  share: number;
}

export interface AssessRequest {
  games: { train: CorpusBuffers; dev: CorpusBuffers; probe: CorpusBuffers };
  ranges: PrefixRange[];
  /** Probing instances for each range. */
  instances: number;
  /** Held-out games for perplexity. */
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
}

/**
 * Long measurements of one model at a time, in a worker of their own so that neither prompts nor training wait. A
 * measurement that `cancel` ends gives the failure `cancelled`. The next `open` ends what is under way.
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
  /** The answers to two prompts, for a story and its counterfactual. */
  answer(prompts: string[]): Promise<Result<PromptAnswer>[]>;
  /** Share of games that the model plays against itself without one illegal ply. */
  legalGames(
    request: { games: number; plies: number; temperature: number; seed: number },
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
  cancel(): Promise<void>;
  /** Newest first. */
  assessments(): Promise<StoredAssessment[]>;
  removeAssessment(id: string): Promise<void>;
}
