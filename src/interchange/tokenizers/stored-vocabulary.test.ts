import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { storedVocabulary } from './stored-vocabulary.ts';

const read = (name: string, content: unknown) =>
  storedVocabulary(
    new Map([[name, new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content))]]),
  );

test.each([
  ['vocab.json', { b: 2, a: 0 }],
  ['tokenizer.json', { model: { vocab: { a: 0 } }, added_tokens: [{ id: 2, content: 'b' }] }],
])('%s gives tokens by their ids', (name, content) => {
  expect(unwrap(read(name, content))).toEqual(['a', null, 'b']);
});

test('a list of tokens and scores numbers them in its order', () => {
  const vocab = [
    ['a', -1],
    ['b', -2],
  ];
  expect(unwrap(read('tokenizer.json', { model: { vocab } }))).toEqual(['a', 'b']);
});

test('lines are tokens, the last with or without its end', () => {
  expect(unwrap(read('vocab.txt', 'a\r\nb\r\n'))).toEqual(['a', 'b']);
  expect(unwrap(read('vocab.txt', 'a\nb'))).toEqual(['a', 'b']);
});

test.each([
  ['ids beyond all vocabularies', 'vocab.json', { a: 4e9 }],
  ['an id that is none', 'vocab.json', { a: -1 }],
  ['a token that is none', 'tokenizer.json', { model: { vocab: [[1, 2]] } }],
  ['no table', 'tokenizer.json', { model: null }],
  ['no JSON', 'vocab.json', '{'],
  ['too many lines', 'vocab.txt', '\n'.repeat(1_000_002)],
])('%s is refused', (_, name, content) => {
  expect(read(name, content)).toMatchObject({ ok: false, error: { code: 'bad-vocabulary' } });
});

test('depth beyond the budget is refused', () => {
  expect(read('vocab.json', `${'['.repeat(1000)}${']'.repeat(1000)}`).ok).toBe(false);
});

test('a folder without any list of tokens says so', () => {
  expect(storedVocabulary(new Map())).toMatchObject({ error: { code: 'no-vocabulary' } });
});
