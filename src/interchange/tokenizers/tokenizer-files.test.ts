import { Tokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import type { Notation } from '../../domains/domain.ts';
import { domainNamed } from '../../domains/domains.ts';
import { readingsOf } from '../plain/readings.ts';
import { tokenizerFiles, vocabularyOf } from './tokenizer-files.ts';

/** The tokenizer of a notation as a client of Hugging Face's format reads it. */
function tokenizerOf(domain: string, name: string, slots: boolean) {
  const notation = unwrap(unwrap(domainNamed(domain)).notation(name));
  const rules = notation.tokenizerRules(slots)!;
  const readings = slots ? readingsOf(notation.slots) : null;
  const vocabulary = vocabularyOf(notation.vocabulary.tokens, readings, rules);
  const files = tokenizerFiles(vocabulary, rules, 352);
  const tokenizer = new Tokenizer(files['tokenizer.json'], files['tokenizer_config.json']);
  return { notation, readings, vocabulary, tokenizer };
}

function readingIds({ slots }: Notation, readings: ReturnType<typeof readingsOf> | null, tokens: readonly number[]) {
  let state = 0;
  return tokens.map((token) => {
    const at = state * (slots.slot.length / slots.states) + token;
    state = slots.next[at];
    return readings ? readings.at[at] : token;
  });
}

const games = Array.from({ length: 20 }, (_, i) => randomGame(seededRandom(`game ${i}`), 120));

describe.each([true, false])('chess in squares, with slots: %o', (slots) => {
  it.each(['uci', 'ap', 'rap:50'])('is read from text as the notation writes it: %s', (name) => {
    const { notation, readings, tokenizer } = tokenizerOf('chess', name, slots);
    const random = seededRandom('names');
    for (const game of games) {
      const whole = notation.encode(game, { random, closed: false });
      // Prompts end anywhere: behind a name, a start square, a move, a promotion.
      for (const length of [1, 2, 3, 4, 5, whole.length - 1, whole.length]) {
        const tokens = whole.slice(0, length);
        const words = tokens.slice(1).map((token) => notation.vocabulary.tokens[token]);
        const expected = readingIds(notation, readings, tokens);
        for (const text of [words.join(' '), words.join('')]) expect(tokenizer.encode(text).ids).toEqual(expected);
      }
    }
  });

  it('reads promotions, names without a move, and nothing', () => {
    const { notation, readings, tokenizer } = tokenizerOf('chess', 'rap:15', slots);
    for (const text of ['', 'N', 'e2e4 B', 'a7b8b b1c3', 'e2e4 a2a1n b1c3 Q d1 h5 b8b7', 'a7a8q N', 'e2e4 a2a1b b1']) {
      const spelled = text.match(/[PQRKNB]|[a-h][1-8]|[bnqr]/g) ?? [];
      const tokens = [1, ...spelled.map((token) => notation.vocabulary.id(token)!)];
      expect(tokenizer.encode(text).ids).toEqual(readingIds(notation, readings, tokens));
    }
  });
});

it('writes moves again as people do', () => {
  const { tokenizer } = tokenizerOf('chess', 'uci', true);
  const text = 'e2e4 e7e5 g1f3 N g8f6 a7b8q';
  expect(tokenizer.decode(tokenizer.encode(text).ids, { skip_special_tokens: true })).toBe(text);
});

it('spells every row of the vocabulary once, and ends a game wherever it can end', () => {
  const { vocabulary } = tokenizerOf('chess', 'uci', true);
  expect(new Set(vocabulary.pieces).size).toBe(305);
  expect(vocabulary.ends.map((end) => vocabulary.pieces[end])).toEqual(['</s>', '</s>·1', '</s>·2', '</s>·3']);
  expect([vocabulary.pieces[vocabulary.begin], vocabulary.pieces[vocabulary.pad]]).toEqual(['<s>', '<pad>']);
});

it.each([
  ['noughts', 'b2 a1 c1', true],
  ['baseball', '<newbatter> <ball> <strike>', false],
  ['chess', 'e2e4 e7e5 g1f3', false],
] as const)('events of %s are words', (domain, text, slots) => {
  const { notation, tokenizer } = tokenizerOf(domain, 'splat', slots);
  const ids = tokenizer.encode(text).ids;
  expect(ids).toEqual([notation.vocabulary.begin, ...text.split(' ').map((word) => notation.vocabulary.id(word))]);
  expect(tokenizer.decode(ids, { skip_special_tokens: true })).toBe(text);
});
