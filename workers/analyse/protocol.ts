import type { Failure, Result } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { SquareScores, TrainingRecord } from '../../src/interchange/records/training-record.ts';
import type { ContinuedTrace, WrittenEvent } from '../../src/studies/asking/continue-trace.ts';
import type { PromptAnswer } from '../../src/studies/asking/prompt-answer.ts';
import type { Evaluation, LivePanel } from '../../src/studies/live.ts';
import type { TraceAnswer } from '../../src/studies/splat/asking/trace-answer.ts';
import type { SelfPlayGame } from '../../src/studies/self-play/self-play.ts';
import type { DataProgress } from '../data/protocol.ts';

/** Weights on their way from the training worker. */
export interface WeightsSnapshot {
  step: number;
  parameters: Map<string, { shape: number[]; data: Float32Array }>;
}

/** An earlier step of a run on this device, whose weights are stored (src/training/snapshot-store.ts). */
export interface PastStep {
  run: string;
  step: number;
}

export type { SquareScores, TrainingRecord };

export interface Prepared {
  /** What is drawn of its scores. */
  panels: LivePanel[];
  /** Games that could not be read. */
  failures: Failure[];
}

/**
 * Answers questions about the newest weights while training goes on in its own worker, or about a model opened. A question
 * with a PastStep is answered by what that run knew then; the run must be the one that is prepared or open.
 */
export interface AnalyseService {
  /**
   * Reads the games of a run (`config.data.games`) and chooses what it is asked at every evaluation; called by the page
   * before a run starts. The next `prepare` or `open` ends one that still reads, with the failure `replaced`.
   * @param tokens of a run whose model brings its tokens: their files, or the run in whose checkpoint they are
   */
  prepare(
    config: RunConfig,
    onProgress: (progress: DataProgress) => void,
    tokens?: Map<string, Uint8Array> | string,
  ): Promise<Result<Prepared>>;
  /** Gives up preparing a run. */
  cancel(): Promise<void>;
  /** From now on prompts are answered by a trained model from the files of its folder, until a run takes its place. */
  open(files: Map<string, Uint8Array>): Promise<Result<TrainingRecord>>;
  /** From now on questions are answered by a run of this device at its newest checkpoint, until a run takes its place. */
  openRun(id: string): Promise<Result<null>>;
  /** Called by the training worker: from now on prompts are answered with these weights. */
  update(snapshot: WeightsSnapshot): Promise<void>;
  /** Called by the training worker: all scores of these weights. Prompts are answered in between. */
  evaluate(snapshot: WeightsSnapshot): Promise<Result<Evaluation>>;
  /** A second way in for the training worker. */
  connect(port: MessagePort): Promise<void>;
  /**
   * The moves that a text means in a game of two players (`TwoPlayers.read`). Here, since the way to a position may take
   * a second to find. Fails as that does.
   */
  readGame(domain: string, text: string): Promise<Result<Uint16Array>>;
  /** The model's answer to a prompt; null where there are no weights yet, or of a notation that is not the testbed's. */
  ask(prompt: string, at?: PastStep | null): Promise<Result<PromptAnswer | null>>;
  /**
   * What a model of SPLAT tokens says after the last of these events, given as text (the domain's own line): its next
   * tokens, and what it believes of every state variable. Null where there are no weights yet, or of another domain.
   */
  askTrace(domain: string, line: string, at?: PastStep | null): Promise<Result<TraceAnswer | null>>;
  /**
   * The model plays itself; plies are told as they come. Null where there are no weights yet, or of a notation that is not
   * the testbed's, and where a later game has been asked for meanwhile.
   */
  selfPlay(
    seed: number,
    onPly: (game: SelfPlayGame) => void,
    at?: PastStep | null,
  ): Promise<Result<SelfPlayGame | null>>;
  /**
   * A model of SPLAT tokens writes on behind these events until it breaks a rule; each event is told as it comes. Null as
   * for `askTrace`.
   */
  continueTrace(
    domain: string,
    line: string,
    options: { events: number; seed: number; temperature: number },
    onEvent: (event: WrittenEvent) => void,
    at?: PastStep | null,
  ): Promise<Result<ContinuedTrace | null>>;
}
