import { describe, expect, it } from 'vitest';
import { byteLevelFiles } from '../../../fixtures/byte-level-tokenizer.ts';
import { unwrap } from '../../base/result.ts';
import { readTokenizer } from './text-tokenizer.ts';

const files = byteLevelFiles(['k e', 'Ġ ke', 'y s', 'Ġke ys', 'Ã ¯']);
const text = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe('a third-party tokenizer', () => {
  it('is that of vocab.json and merges.txt, by bytes', () => {
    const tokenizer = unwrap(readTokenizer(files));
    expect(tokenizer.encode('a keys').tokens).toEqual(['a', 'Ġkeys']);
    // Merged in the order of the list, and never across the parts that GPT-2 cuts text into.
    expect(tokenizer.encode("ïke don't").tokens).toEqual(['Ã¯', 'ke', 'Ġ', 'd', 'o', 'n', "'", 't']);
    expect(tokenizer.encode('🙂').ids).toHaveLength(4);
    expect(tokenizer).toMatchObject({ byteLevel: true, begin: 261, end: 261, unknown: null });
    expect(tokenizer.vocabulary).toHaveLength(262);
  });

  it('names its special tokens in tokenizer_config.json', () => {
    const named = new Map(files).set('tokenizer_config.json', text({ bos_token: { content: 'a' }, eos_token: 'b' }));
    const { vocabulary, begin, end } = unwrap(readTokenizer(named));
    expect([vocabulary[begin!], vocabulary[end!]]).toEqual(['a', 'b']);
  });

  it.each<[string, string, Uint8Array | null, string]>([
    ['is missing', 'vocab.json', null, 'no-tokenizer'],
    ['is empty', 'vocab.json', new Uint8Array(), 'bad-tokenizer'],
    ['is a list', 'vocab.json', text([1]), 'bad-tokenizer'],
    ['is of no known kind', 'tokenizer.json', text({ model: { type: 'Other' } }), 'bad-tokenizer'],
    ['is no text', 'tokenizer.json', Uint8Array.of(255, 0, 3), 'bad-tokenizer'],
  ])('is refused where a file %s (%s)', (_, name, bytes, code) => {
    const broken = new Map(files);
    if (bytes === null) broken.delete(name);
    else broken.set(name, bytes);
    expect(readTokenizer(broken)).toMatchObject({ ok: false, error: { code } });
  });
});
