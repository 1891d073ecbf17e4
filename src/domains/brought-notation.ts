import type { ModelVocabulary } from '../base/text-tokenizer.ts';
import type { Notation, Vocabulary } from './domain.ts';
import { vocabularyOf } from './vocabulary.ts';

/**
 * What all notations have that are written in the tokens that a model brought. Rows that they have no name for are named
 * by their number.
 * @param are "text is", of what is written
 */
export function broughtNotation(
  { tokenizer, rows }: ModelVocabulary,
  special: Pick<Vocabulary, 'pad' | 'begin' | 'end'>,
  are: string,
): Pick<Notation, 'vocabulary' | 'slots' | 'tokenizerRules' | 'valid' | 'mutedInEvaluation'> {
  const tokens = Array.from({ length: rows }, (_, id) => tokenizer.vocabulary[id] ?? `<${id}>`);
  const nothing = new Array<number>(rows).fill(0);
  return {
    vocabulary: vocabularyOf(tokens, special),
    slots: { count: 1, states: 1, slot: nothing, next: nothing },
    tokenizerRules: () => null,
    valid: () => {
      throw new Error(`${are} learned with the objective "next"`);
    },
    mutedInEvaluation: [],
  };
}
