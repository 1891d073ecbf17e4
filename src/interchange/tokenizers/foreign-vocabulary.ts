import { fail, ok, type Result } from '../../base/result.ts';
import { defaultPreset } from '../../config/presets.ts';
import { parseRunConfig, type RunConfig } from '../../config/run-config.ts';
import { lmHead } from '../../models/gpt.ts';
import { tokenEmbeddingName } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { special } from '../folder.ts';
import type { ImportedModel } from '../huggingface.ts';

/** The tokens of a notation that a third-party model may have learned. */
export interface KnownVocabulary {
  domain: string;
  notation: string;
  tokens: readonly string[];
  /** Tokens that such a model need not have: nobody lets it predict them. */
  spare: readonly number[];
}

/** What a model without a config is taken for where its tokens are those: one of chess moves. */
export const PRESUMED = { domain: 'chess', notation: 'rap:15' };

/** What became of the two vocabularies. */
export interface VocabularyReport {
  /** Tokens of the notation that the model has. */
  matched: number;
  /** Those that it does not have. */
  missing: string[];
  /** Tokens of the model that mean nothing here. */
  foreign: string[];
}

/** What the special tokens of a notation are called elsewhere. */
const OTHER_NAMES: Record<number, readonly string[]> = {
  [special.pad_token_id]: ['<pad>', '[PAD]', '<|pad|>', '[pad]'],
  [special.bos_token_id]: ['<s>', '[BOS]', '<bos>', '<|startoftext|>', '<|endoftext|>', '[start]'],
  [special.eos_token_id]: ['</s>', '[EOS]', '<eos>', '<|endoftext|>', '[end]'],
};

/** Names in a message. */
const FEW = 8;

/**
 * A third-party model as one of a notation: tokens are matched by their spelling, and the rows of the embedding and
 * of the head are put in the notation's order. Rows of tokens that it lacks and need not have are zeros. It is taken to
 * have no slots; its config is the default's but for the model.
 * @param tokens of the model by their ids; null where an id has none
 * @returns the failure `other-vocabulary` where a token is missing that the notation needs, saying which
 */
export function withVocabulary(
  imported: ImportedModel,
  tokens: readonly (string | null)[],
  known: KnownVocabulary,
): Result<{ model: ImportedModel; report: VocabularyReport }> {
  // Tokens beyond the embedding have no row, whatever a tokenizer says.
  const embedded = tokens.slice(0, imported.model.vocabulary);
  const ids = new Map(embedded.flatMap((token, id) => (token === null ? [] : [[token, id] as const])));
  const rows = known.tokens.map((token, id) => {
    const names = [token, ...(OTHER_NAMES[id] ?? [])];
    return names.map((name) => ids.get(name)).find((found) => found !== undefined) ?? null;
  });
  const used = new Set(rows);
  const report: VocabularyReport = {
    matched: rows.filter((row) => row !== null).length,
    missing: known.tokens.filter((_, id) => rows[id] === null),
    foreign: embedded.flatMap((token, id) => (token === null || used.has(id) ? [] : [token])),
  };
  const spare = new Set([special.pad_token_id, ...known.spare]);
  const needed = known.tokens.filter((_, id) => rows[id] === null && !spare.has(id));
  if (needed.length > 0)
    return fail(
      'other-vocabulary',
      `This model has ${report.matched} of the ${known.tokens.length} tokens that ${known.domain} is written in here (${known.notation}). Missing are ${few(needed)}; its own are ${few(report.foreign)}. It cannot be asked about games.`,
    );

  const { kind } = imported.model;
  const tables = [tokenEmbeddingName(kind), lmHead];
  const parameters: NamedArrays = new Map(imported.parameters);
  for (const name of tables) {
    const table = parameters.get(name);
    if (!table) continue;
    const width = table.shape[1];
    const data = new Float32Array(rows.length * width);
    for (const [id, row] of rows.entries())
      if (row !== null) data.set(table.data.subarray(row * width, (row + 1) * width), id * width);
    parameters.set(name, { shape: [rows.length, width], data });
  }
  const { domain, notation } = known;
  const config = configOf(imported, { ...defaultPreset.config, domain, notation });
  if (!config.ok) return config;
  const model = { ...imported.model, vocabulary: rows.length };
  const record = { tokens: known.tokens, step: 0, vocabulary: report };
  return ok({ model: { ...imported, model, parameters, config: config.value, record, folder: true }, report });
}

/**
 * A third-party model as one that learns a game's lines as text, its tokens as they are. How it learns is `base`'s.
 * Fails as the config does, where the model has what no run may.
 */
export function asText(imported: Pick<ImportedModel, 'model'>, base: RunConfig, domain: string): Result<RunConfig> {
  return configOf(imported, { ...base, domain, notation: 'text', objective: 'next' });
}

/** A config for a model that was read: no games yet, and its settings without its vocabulary. */
function configOf({ model: { vocabulary: _, ...settings } }: Pick<ImportedModel, 'model'>, base: RunConfig) {
  const data = { games: '', manifest: '', limit: null };
  return parseRunConfig({ ...base, questions: null, data, model: { ...settings, slots: false } });
}

const few = (tokens: readonly string[]): string =>
  tokens.length === 0
    ? 'none'
    : tokens
        .slice(0, FEW)
        .map((token) => JSON.stringify(token.slice(0, 24)))
        .join(', ') + (tokens.length > FEW ? ` and ${tokens.length - FEW} more` : '');
