import type { Result } from '../../../base/result.ts';
import type { ModelSpec } from '../model-spec.ts';
import type { Tokens } from '../suite-model.ts';

/** How sentences become the tokens of a model that an engine runs: moves in a notation, or text. */
export interface SentenceReader {
  spec(name: string): ModelSpec;
  /** Fails where the sentence cannot be read at all. */
  read(sentence: string): Result<ReadSentence>;
  /** Tokens that the model must not predict in this sentence. */
  muted(ids: readonly number[]): readonly number[];
}

export interface ReadSentence extends Tokens {
  ids: readonly number[];
}
