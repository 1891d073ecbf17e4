import { describe, expect, it } from 'vitest';
import { entryOf, termsIn } from './find-terms.ts';
import { GLOSSARY } from './glossary.ts';

const terms = (text: string) => termsIn(text).flatMap((piece) => (piece.isTerm ? [piece.text] : []));

describe('the glossary', () => {
  it('is in the order of the alphabet, and no name has two entries', () => {
    const titles = GLOSSARY.map(({ term }) => term);
    expect(titles).toEqual(titles.toSorted((a, b) => a.localeCompare(b, 'en')));
    const names = GLOSSARY.flatMap(({ term, also = [], alone = [] }) => [term, ...also, ...alone]).map((name) =>
      name.toLowerCase(),
    );
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('explains each term in a few sentences', () => {
    for (const { term, definition } of GLOSSARY) {
      expect(definition, term).toMatch(/^[A-Z].*[.]$/);
      expect(definition.length, term).toBeLessThan(260);
      expect(definition.split(/[.:] /).length, term).toBeLessThanOrEqual(4);
    }
  });

  it('is looked up under any name of a term', () => {
    expect(entryOf('PLIES')).toBe(entryOf('ply'));
    expect(entryOf('exact')?.term).toBe('ExM');
    expect(entryOf('piece')).toBeUndefined();
  });
});

describe('a text', () => {
  it.each([
    ['legal, %', ['legal']],
    ['Piece moved in the game', ['Piece moved in the game']],
    ['The model’s moves legal, %', []],
    ['Random legal, exact, %', ['Random legal, exact']],
    ['Legal verbs (R-precision), %', ['Legal verbs', 'R-precision']],
    ['UCI + RAP 15', ['UCI + RAP']],
    ['51 to 100 plies', ['plies']],
    ['A slot: spelling, one ply of two plies', ['slot', 'ply']],
    ['illegal, exactly, reply, UCIs, well-held-out', []],
    ['', []],
  ])('"%s" has these terms', (text, expected) => {
    expect(terms(text)).toEqual(expected);
    expect(
      termsIn(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
