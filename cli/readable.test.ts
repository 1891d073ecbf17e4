import { expect, it } from 'vitest';
import { readable } from './readable.ts';

it('writes a field a line, and what repeats its fields as a table', () => {
  const task = (lgm: number) => ({ exm: null, lgm, n: 1000, ci95: { exm: null, lgm: [lgm - 0.02, lgm + 0.02] } });
  const text = readable({
    perplexity: 14.528802817880157,
    moves: 786055,
    tasks: { 'end-actual': task(0.965), 'end-other': task(0.9) },
    games: { train: 12, name: 'a' },
  });
  expect(text.split('\n')).toEqual([
    'perplexity  14.53',
    'moves       786,055',
    'tasks',
    '              exm    lgm      n                       ci95',
    '  end-actual    –  0.965  1,000  exm –, lgm 0.945 to 0.985',
    '  end-other     –    0.9  1,000    exm –, lgm 0.88 to 0.92',
    'games',
    '  train  12',
    '  name   a',
  ]);
});

it('writes what is no table too', () => {
  expect(
    readable({ a: [1, 2], ci95: [0.1, 0.25], b: [1, 2, 3], c: new Array(99).fill(0), d: null, e: true, f: {} }).split(
      '\n',
    ),
  ).toEqual([
    'a     1, 2',
    'ci95  0.1 to 0.25',
    'b     1, 2, 3',
    'c     99 of them, in --json',
    'd     –',
    'e     true',
    'f',
  ]);
  expect(readable(0.5)).toBe('0.5');
  expect(readable({})).toBe('');
});
