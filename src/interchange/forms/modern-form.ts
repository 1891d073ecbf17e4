import { fail, ok, type Result } from '../../base/result.ts';
import { modernTokenEmbedding } from '../../models/modern.ts';
import type { ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { embeddingOf, fitted, untiedHead, type FittedModel } from '../folder.ts';
import { pairParameters, pairsOf, partedTables, type SlotPairs } from './slot-pairs.ts';

const PREFIX = 'model.';

/** Kinds of the modern family, which Hugging Face has under the same names of tables. */
type Modern = Extract<ModelConfig, { kind: 'qwen3' | 'lfm2' }>;

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
  const embedding = embeddingOf(tensors, modernTokenEmbedding, PREFIX);
  const { kind, slots } = modelOf(0);
  if (!embedding)
    return fail('weights-differ', `${file} holds no token embedding (${modernTokenEmbedding}): it is no ${kind}.`, {
      file,
    });
  const untied = headTied ? untiedHead(tensors, embedding.data, file) : null;
  if (untied) return untied;
  if (!slots) return fitted(modelOf(embedding.shape[0]), tensors, PREFIX, file);

  const vocabulary = slots.slot.length / slots.states;
  const pairs = pairsOf(slots);
  const stored = headTied ? besideHead(embedding, vocabulary, pairs) : null;
  if (stored === null)
    return fail(
      'weights-differ',
      `${file}: the token embedding and lm_head do not hold the pairs of ${vocabulary} tokens and ${slots.count} slots.`,
      { file },
    );
  const width = embedding.shape[1];
  const parameters = pairParameters(tensors, stored.rows, stored.head, width);
  const asked: Modern = { ...modelOf(vocabulary), slots: pairs.grammar, tied: false };
  const model = fitted(asked, parameters, PREFIX, file);
  if (!model.ok) return model;
  const learning = modelOf(vocabulary);
  const tables = partedTables(model.value.parameters, slots, pairs, learning.tied !== false);
  const learnable = fitted(learning, tables, PREFIX, file);
  return learnable.ok ? ok({ ...model.value, learnable: learnable.value }) : learnable;
}

type Table = NonNullable<ReturnType<NamedArrays['get']>>;

interface StoredRows {
  rows: Float32Array;
  head: Float32Array;
}

/** As folders had them before: the head's rows and the pairs' behind them. */
function besideHead({ shape, data }: Table, vocabulary: number, { tokens }: SlotPairs): StoredRows | null {
  if (shape[0] !== vocabulary + tokens.length) return null;
  const size = vocabulary * shape[1];
  return { head: data.slice(0, size), rows: data.slice(size) };
}
