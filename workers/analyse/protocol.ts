import type { Result } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { PromptAnswer } from '../../src/probes/prompt-answer.ts';
import type { Evaluation, ReferenceScores } from '../../src/probes/scores.ts';
import type { SelfPlayGame } from '../../src/probes/self-play.ts';
import type { CorpusBuffers } from '../data/protocol.ts';

/** Weights on their way from the training worker. */
export interface WeightsSnapshot {
  step: number;
  parameters: Map<string, { shape: number[]; data: Float32Array }>;
}

/** Answers questions about the newest weights while training goes on in its own worker. */
export interface AnalyseService {
  /** Makes the probing instances and reference lines of a run; called by the page before a run starts. */
  prepare(
    config: RunConfig,
    corpora: { train: CorpusBuffers; dev: CorpusBuffers; probe: CorpusBuffers },
  ): Promise<Result<ReferenceScores>>;
  /** Called by the training worker: from now on prompts are answered with these weights. */
  update(snapshot: WeightsSnapshot): Promise<void>;
  /** Called by the training worker: all scores of these weights. Prompts are answered in between. */
  evaluate(snapshot: WeightsSnapshot): Promise<Result<Evaluation>>;
  /** A second way in for the training worker. */
  connect(port: MessagePort): Promise<void>;
  /** The model's answer to a prompt; null where there are no weights yet. */
  ask(prompt: string): Promise<Result<PromptAnswer | null>>;
  /** The model plays itself; plies are told as they come. Null where there are no weights yet. */
  selfPlay(seed: number, onPly: (game: SelfPlayGame) => void): Promise<Result<SelfPlayGame | null>>;
}
