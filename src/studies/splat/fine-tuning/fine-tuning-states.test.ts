import { expect, it } from 'vitest';
import type { AnyDomain } from '../../../domains/domains.ts';
import { plainDomain } from '../../../domains/plain-domain.ts';
import { stateReader } from './fine-tuning-states.ts';
import { StateIndex } from './nearest-state.ts';

it('tells apart values of which a variable has more than 256', () => {
  const counting = plainDomain<number>({
    name: 'counting',
    title: 'Counting',
    initial: () => 0,
    apply: (state) => state + 1,
    legal: () => [0],
    events: ['on'],
    variables: [
      { name: 'count', values: Array.from({ length: 600 }, (_, i) => `n${i}`), of: (state) => `n${state}` },
      { name: 'odd', values: ['no', 'yes'], of: (state) => ['no', 'yes'][state % 2] },
    ],
    leader: () => 'level',
    outcome: (state) => (state === 599 ? 'done' : null),
    description: 'One step after another.',
  }) as AnyDomain;
  const read = stateReader(counting);
  const after = (events: number) => read.values(new Uint16Array(events))!;
  expect([...after(300)]).toEqual([300, 0]);
  const index = new StateIndex(Uint16Array.of(...after(300), ...after(301)), read.variables);
  expect([300, 301, 44, 556].map((events) => index.nearest(after(events)))).toEqual([0, 0, 1, 1]);
});
