import type { Failure, Result } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { TrainingRecord } from '../../src/interchange/training-record.ts';
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

export type { TrainingRecord };

export interface Prepared {
  /** What is drawn of its scores. */
  panels: LivePanel[];
  /** Games that could not be read. */
  failures: Failure[];
}

/** Answers questions about the newest weights while training goes on in its own worker, or about a model opened. */
export interface AnalyseService {
  /**
   * Reads the games of a run (`config.data.games`) and chooses what it is asked at every evaluation; called by the page
   * before a run starts. The next `prepare` or `open` ends one that still reads, with the failure `replaced`.
   */
  prepare(config: RunConfig, onProgress: (progress: DataProgress) => void): Promise<Result<Prepared>>;
  /** Gives up preparing a run. */
  cancel(): Promise<void>;
  /** From now on prompts are answered by a trained model from the files of its folder, until a run takes its place. */
  open(files: Map<string, Uint8Array>): Promise<Result<TrainingRecord>>;
  /** Called by the training worker: from now on prompts are answered with these weights. */
  update(snapshot: WeightsSnapshot): Promise<void>;
  /** Called by the training worker: all scores of these weights. Prompts are answered in between. */
  evaluate(snapshot: WeightsSnapshot): Promise<Result<Evaluation>>;
  /** A second way in for the training worker. */
  connect(port: MessagePort): Promise<void>;
  /** The model's answer to a prompt; null where there are no weights yet, or of a notation that is not the testbed's. */
  ask(prompt: string): Promise<Result<PromptAnswer | null>>;
  /**
   * What a model of SPLAT tokens says after the last of these events, given as text (the domain's own line): its next
   * tokens, and what it believes of every state variable. Null where there are no weights yet, or of another domain.
   */
  askTrace(domain: string, line: string): Promise<Result<TraceAnswer | null>>;
  /**
   * The model plays itself; plies are told as they come. Null where there are no weights yet, or of a notation that is not
   * the testbed's.
   */
  selfPlay(seed: number, onPly: (game: SelfPlayGame) => void): Promise<Result<SelfPlayGame | null>>;
  /**
   * A model of SPLAT tokens writes on behind these events until it breaks a rule; each event is told as it comes. Null as
   * for `askTrace`.
   */
  continueTrace(
    domain: string,
    line: string,
    options: { events: number; seed: number; temperature: number },
    onEvent: (event: WrittenEvent) => void,
  ): Promise<Result<ContinuedTrace | null>>;
}
