import { pieces } from 'chessboard-element/lib/wikipedia-pieces-svg.js';
import { expect, it } from 'vitest';
import { PIECES } from './pieces.ts';

it('the pieces of files and small boards are those of the large board', () => {
  const shapes = (text: string): string[] =>
    [...text.matchAll(/ (?:d|cx|cy|r|transform)="([^"]*)"/g)].map(([, value]) => value.replaceAll(/\s+/g, ''));
  const names = Object.keys(PIECES).map((letter) => (letter < 'a' ? 'w' : 'b') + letter.toUpperCase());
  expect(names.toSorted()).toEqual(Object.keys(pieces).toSorted());
  for (const [i, drawing] of Object.values(PIECES).entries()) {
    const large = pieces[names[i]].strings.join('');
    expect(shapes(drawing).length).toBeGreaterThan(0);
    expect(shapes(drawing)).toEqual(shapes(large.replaceAll(/\s+/g, ' ')));
  }
});
