import { ok, type Result } from '../../base/result.ts';
import type { ModelVocabulary } from '../../base/text-tokenizer.ts';
import { bringsTokens } from '../../config/brought-tokens.ts';
import type { Files } from '../folder.ts';
import { storedVocabulary } from './stored-vocabulary.ts';
import { readTokenizer, tokenizerFilesOf } from './text-tokenizer.ts';

/**
 * What a model brings of the tokens that its notation is written in, as `notationOf` takes it; null for the tokens of a
 * game's own notation. Text needs a tokenizer that cuts it; whole moves need a list. Fails as these are read.
 * @param files in which they are, among others
 * @param rows of the token embedding
 */
export function modelVocabulary(
  config: { notation: string },
  files: Files,
  rows: number,
): Result<ModelVocabulary | null> {
  if (!bringsTokens(config)) return ok(null);
  if (config.notation === 'text') {
    const tokenizer = readTokenizer(files);
    return tokenizer.ok ? ok({ tokenizer: tokenizer.value, rows }) : tokenizer;
  }
  const vocabulary = storedVocabulary(files);
  if (!vocabulary.ok) return vocabulary;
  return ok({ tokenizer: { vocabulary: vocabulary.value, files: tokenizerFilesOf(files) }, rows });
}
