import { fail, type Result } from '../../base/result.ts';
import { modernTokenEmbedding } from '../../models/modern.ts';
import type { ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { embeddingOf, fitted, type FittedModel } from '../folder.ts';
import { fittedPairs, pairsOf } from './slot-pairs.ts';

const PREFIX = 'model.';

/** Kinds of the modern family, which Hugging Face has under the same names of tables. */
type Modern = Extract<ModelConfig, { kind: 'qwen3' | 'lfm2' }>;

/** The most that config.json may say of what it counts. */
export const MODERN_COUNTS = {
  num_hidden_layers: 1000,
  hidden_size: 1e6,
  num_attention_heads: 1e6,
  intermediate_size: 1e7,
  max_position_embeddings: 1e7,
};

/**
 * The model of a folder, given its vocabulary, with the tensors as its parameters. One with slots computes with the rows
 * of the pairs as they are stored.
 * @param headTied whether config.json says that the token embedding is the head's matrix
 */
export function fittedModern(
  modelOf: (vocabulary: number) => Modern,
  tensors: NamedArrays,
  headTied: boolean,
  file: string,
): Result<FittedModel> {
  const { kind, slots } = modelOf(0);
  const embedding = embeddingOf(tensors, modernTokenEmbedding, PREFIX, { tied: headTied, title: kind, file });
  if (!embedding.ok) return embedding;
  const { shape, data } = embedding.value;
  const [rows, width] = shape;
  if (!slots) return fitted(modelOf(rows), tensors, PREFIX, file);

  const vocabulary = slots.slot.length / slots.states;
  const pairs = pairsOf(slots);
  if (!headTied || rows !== vocabulary + pairs.tokens.length)
    return fail(
      'weights-differ',
      `${file}: the token embedding and lm_head do not hold the pairs of ${vocabulary} tokens and ${slots.count} slots.`,
      { file },
    );
  // As folders had them before: the head's rows and the pairs' behind them.
  const stored = { head: data.slice(0, vocabulary * width), rows: data.slice(vocabulary * width) };
  return fittedPairs(modelOf(vocabulary), tensors, { ...stored, pairs, width }, PREFIX, file);
}
