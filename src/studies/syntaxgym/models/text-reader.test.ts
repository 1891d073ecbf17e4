import { expect, it } from 'vitest';
import { byteLevelFiles } from '../../../../fixtures/byte-level-tokenizer.ts';
import { unwrap } from '../../../base/result.ts';
import { readTokenizer } from '../../../interchange/tokenizers/text-tokenizer.ts';
import { align } from '../align.ts';
import { textReader } from './text-reader.ts';

const reader = textReader(unwrap(readTokenizer(byteLevelFiles(['k e', 'Ġ ke', 'y s', 'Ġke ys', 'Ġ a', 'Ġa r']))));
const condition = (...contents: string[]) => ({
  condition_name: 'a',
  regions: contents.map((content, i) => ({ region_number: i + 1, content })),
});

it('puts text between the tokens that begin and end it, and each token at its place', () => {
  const { tokens, starts, unknown } = unwrap(reader.read('ï keys 🙂.'));
  expect(tokens).toEqual(['<|endoftext|>', 'Ã', '¯', 'Ġkeys', 'Ġ', 'ð', 'Ł', 'Ļ', 'Ĥ', '.', '<|endoftext|>']);
  // A character of several tokens begins where it begins; a space before a word is not of the word.
  expect(starts).toEqual([0, 0, 0, 2, 6, 7, 7, 7, 7, 9, 0]);
  expect(unknown).not.toContain(true);
});

it('gives regions their tokens: the begin token to the first, the end token to the last', () => {
  const sentence = condition('a keys', '', 'ar keys', '.');
  const tokens = unwrap(reader.read('a keys ar keys .'));
  expect(tokens.tokens).toEqual(['<|endoftext|>', 'a', 'Ġkeys', 'Ġar', 'Ġkeys', 'Ġ', '.', '<|endoftext|>']);
  expect(unwrap(align(sentence, tokens, reader.spec('m'))).regions).toEqual([0, 0, 0, 2, 2, 3, 3, 3]);
});
