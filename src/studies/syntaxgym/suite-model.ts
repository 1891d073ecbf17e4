import type { Result } from '../../base/result.ts';
import type { Measuring } from '../asking/measuring.ts';
import type { ModelSpec } from './model-spec.ts';

/**
 * A language model as SyntaxGym sees it: what the containers of lm-zoo offer (tokenize, unkify, get_surprisals,
 * get_predictions). Whatever implements this runs on every suite.
 */
export interface SuiteModel {
  readonly name: string;
  readonly spec: ModelSpec;
  /** Fails where the sentence cannot be read at all. */
  tokenize(sentence: string): Result<Tokens>;
  /** Of each sentence, in their order; one that cannot be read or does not fit is a failure in its place. */
  surprisals(sentences: readonly string[], measuring: Measuring): Promise<Result<ScoredTokens>[]>;
  /** Null where a model tells no distributions. */
  readonly predictions: ((sentence: string) => Promise<Result<Predictions>>) | null;
}

/** A sentence in a model's tokens, special ones included. */
export interface Tokens {
  tokens: readonly string[];
  /** Whether the token stands for a word that the model does not know. */
  unknown: readonly boolean[];
  /**
   * Where each token begins in the sentence, in characters, ascending; a token that is none of the sentence's, such as
   * the begin token, has the place of the token behind it, or 0. Null where the tokenizer does not know: tokens are then
   * matched with the text by the spec (align.ts).
   */
  starts: readonly number[] | null;
}

export interface ScoredTokens extends Tokens {
  /** Bits; 0 for a first token that nothing predicts. */
  surprisals: readonly number[];
}

/** Next-token distributions of a sentence. */
export interface Predictions {
  tokens: readonly string[];
  /** Places in `spec.vocabulary.items`. */
  ids: readonly number[];
  /** One [V] for each token, before it is read: natural logarithms of probabilities. Uniform where nothing stands before. */
  logProbabilities: readonly Float32Array<ArrayBufferLike>[];
}
