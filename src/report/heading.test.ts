import { expect, it } from 'vitest';
import { headingOf } from './report.ts';

it('a title says its meaning first and the number of the paper apart', () => {
  expect(headingOf('Table 6: ending squares')).toEqual({ meaning: 'Ending squares', number: 'Table 6' });
  expect(headingOf('SPLAT, Table 3: what models answer (Chess)')).toEqual({
    meaning: 'What models answer (Chess)',
    number: 'SPLAT, Table 3',
  });
  expect(headingOf('Games against random play')).toEqual({ meaning: 'Games against random play', number: '' });
});
