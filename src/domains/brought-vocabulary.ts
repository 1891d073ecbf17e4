import type { ModelVocabulary } from '../base/text-tokenizer.ts';
import type { Vocabulary } from './domain.ts';

/** The tokens that a model brought; rows that they have no name for are named by their number. */
export function broughtVocabulary(
  { tokenizer, rows }: ModelVocabulary,
  special: Pick<Vocabulary, 'pad' | 'begin' | 'end'>,
): Vocabulary {
  const tokens = Array.from({ length: rows }, (_, id) => tokenizer.vocabulary[id] ?? `<${id}>`);
  const ids = new Map(tokens.map((token, id) => [token, id]));
  return { tokens, size: rows, ...special, id: (token) => ids.get(token) };
}
