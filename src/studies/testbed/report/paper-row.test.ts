import { expect, it } from 'vitest';
import { paperRow } from './paper-row.ts';

it('is the row of the training set that is nearest in size', () => {
  // Toshniwal et al. 2022, Tables 4 to 6, UCI + RAP.
  const told = (games: number) => {
    const { size, perplexity, ...shares } = paperRow(games);
    return [size, ...Object.values(shares).map((share) => (100 * share).toFixed(1)), perplexity];
  };
  expect(told(180_000)).toEqual(['L', '97.0', '54.7', '100.0', '91.8', 7.4]);
  expect(told(15_000)).toEqual(['S', '88.4', '33.3', '91.3', '78.8', 15.9]);
  expect([0, 3000, 26_000, 29_000, 99_000, 101_000, 1e6].map((games) => paperRow(games).size).join('')).toBe('SSSMMLL');
});
