import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Budget } from './budget.ts';
import { InputError } from './result.ts';
import { jsonValue } from './json.ts';

const message = (text: string): string | null => {
  const read = jsonValue(text, new Budget('x.json'));
  return read.ok ? null : read.error.message;
};

it('says where a text is no JSON, in sentences of its own', () => {
  for (const [text, place] of [
    ['', ': it is empty'],
    [' \n', ': it is empty'],
    ['[1, 2', ': it ends in the middle'],
    ['{"a": tr', ': it ends in the middle'],
    ['{"a": "b', ': it ends in the middle'],
    [`"${'\\'.repeat(3e6)}`, ': it ends in the middle'],
    ['{"a":}', ' from character 6 on'],
    ['{"a" 1}', ' from character 6 on'],
    ['{a: 1}', ' from character 2 on'],
    ['[1,]', ' from character 4 on'],
    ['[01]', ' from character 2 on'],
    ['[1]]', ' from character 4 on'],
    ['{"a": 1}\n{"a": 2}', ' from line 2, character 1 on'],
    ['{\n  "a": \'b\'\n}', ' from line 2, character 8 on'],
    ['["a\\x"]', ' from character 4 on'],
    ['["a\tb"]', ' from character 4 on'],
    ['<html>', ' from character 1 on'],
  ] as const)
    expect(message(text)).toBe(`this is not JSON${place}`);
});

it('takes what is JSON, and bounds its depth and its values', () => {
  fc.assert(fc.property(fc.json(), (text) => message(text) === null && message(`\uFEFF${text}`) === null));
  expect(message('['.repeat(1e6))).toBe('it is nested more than 200 deep');
  expect(() => message(`[${'1,'.repeat(2e6)}1]`)).toThrow(InputError);
});

it('finds a place in every text that was cut or changed', () => {
  const changed = fc.record({ text: fc.json(), at: fc.nat(), by: fc.constantFrom('', '"', '}', ',', 'x', '\\', '1') });
  fc.assert(
    fc.property(changed, ({ text, at, by }) => {
      const i = at % text.length;
      const wrong = text.slice(0, i) + by + text.slice(i + 1);
      const said = message(wrong);
      if (said === null) return;
      // What comes before the place is right: it is still the beginning of some JSON.
      const place = Number(/character (\d+) on/.exec(said)?.[1] ?? NaN);
      expect(said).toMatch(
        /^this is not JSON(: it is empty|: it ends in the middle| from (line \d+, )?character \d+ on)$/,
      );
      if (said.includes('line')) return;
      if (place > 1) expect(message(wrong.slice(0, place - 1)) ?? 'ends').toMatch(/ends|is empty/);
    }),
  );
});
