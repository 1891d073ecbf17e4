import { describe, expect, it } from 'vitest';
import { byteLevelFiles } from '../../fixtures/byte-level-tokenizer.ts';
import { unwrap } from '../base/result.ts';
import type { ModelVocabulary } from '../base/text-tokenizer.ts';
import { readTokenizer } from '../interchange/tokenizers/text-tokenizer.ts';
import { chess } from './chess/chess.ts';
import { DOMAIN_NAMES, notationOf } from './domains.ts';

const tokenizer = unwrap(readTokenizer(byteLevelFiles(['Ġ e', '2 e', 'Ġe 2', 's t', '[ st', 'Ġe 7', 'e 8'])));
const ROWS = tokenizer.vocabulary.length;
const text: ModelVocabulary = { tokenizer, rows: ROWS };
const named = (domain: string, given: ModelVocabulary | null = text) => notationOf({ domain, notation: 'text' }, given);
const game = unwrap(chess.traces.parse('e2e4 e7e5 g1f3 b8c6 e1e2'));

describe('the notation "text"', () => {
  it.each(DOMAIN_NAMES)('writes what the tokenizer reads in a line of %s', (domain) => {
    const { text: spelling } = unwrap(named(domain));
    const { tokens, begin, end } = spelling!.words.vocabulary;
    const line = [begin, ...tokens.keys(), end].filter((word, at) => at === 0 || word !== begin);
    expect(spelling!.spell(line)).toEqual(tokenizer.encode(line.map((word) => tokens[word]).join(' ')).ids);
  });

  it('writes a game as text and reads it back', () => {
    const notation = unwrap(named('chess'));
    const written = notation.encode(game, { random: null, closed: true });
    expect(written).toEqual(tokenizer.encode('[start] e2e4 e7e5 g1f3 b8c6 e1e2 [end]').ids);
    expect(unwrap(notation.decode(written))).toEqual(game);
    expect(written.length).toBeLessThanOrEqual(notation.maxTokens(game.length));
    expect(notation.vocabulary).toMatchObject({ size: ROWS, begin: written[0], end: written.at(-1) });
    expect(notation.decode(tokenizer.encode('[start] e2e4 hello').ids)).toMatchObject({
      error: { code: 'bad-tokens' },
    });
    expect(notation.decode(tokenizer.encode('[start] e2e5').ids)).toMatchObject({ ok: false });
  });

  it('names rows that the tokenizer has no token for', () => {
    const { vocabulary } = unwrap(named('chess', { tokenizer, rows: ROWS + 3 }));
    expect(vocabulary.tokens.slice(-4)).toEqual(['<|endoftext|>', `<${ROWS}>`, `<${ROWS + 1}>`, `<${ROWS + 2}>`]);
  });

  it.each<[string, ModelVocabulary | null, string, string]>([
    ['there is no tokenizer', null, 'no-tokenizer', 'its tokenizer is not here'],
    ['the model has too few rows', { tokenizer, rows: 90 }, 'other-tokenizer', 'the model has 90'],
    [
      'a token is no number',
      { rows: ROWS, tokenizer: { ...tokenizer, encode: () => ({ ids: [NaN], tokens: ['?'] }) } },
      'other-tokenizer',
      'takes token NaN',
    ],
    [
      'letters are lost',
      { rows: ROWS, tokenizer: { ...tokenizer, encode: (line) => tokenizer.encode(line.toLowerCase()) } },
      'other-tokenizer',
      'comes back changed',
    ],
    [
      'words run into each other',
      {
        rows: ROWS,
        tokenizer: {
          ...tokenizer,
          encode: (line) => (line.length > 99 ? { ids: [1], tokens: ['"'] } : tokenizer.encode(line)),
        },
      },
      'other-tokenizer',
      'cut otherwise beside each other',
    ],
  ])('is refused where %s', (_, given, code, expected) => {
    const refused = named('chess', given);
    expect(refused).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(expected) } });
  });
});
