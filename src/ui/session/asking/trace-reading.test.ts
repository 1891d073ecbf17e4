import { expect, test } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { DOMAINS, domainNamed } from '../../../domains/domains.ts';
import { exampleLine } from '../../../domains/example-game.ts';
import { valuesOf } from '../../../domains/state-values.ts';
import { liveliest, readTrace } from './trace-reading.ts';
import { eventText, recordLines } from '../../../domains/record-lines.ts';

const baseball = unwrap(domainNamed('baseball'));
const chess = unwrap(domainNamed('chess'));

test('a line that goes wrong is read up to the last event before', () => {
  const good = '<sog> <newbatter> (id_100) <ball> <hit> <advance> (plate) (first)';
  const read = readTrace(baseball, `${good} <advance> (second) (third) <ball>`);
  expect(read.failure?.message).toContain('nobody is on second');
  expect(read.readable).toBe(good.length);
  expect(read.events).toHaveLength(5);
  expect(read.states).toHaveLength(6);
  expect(valuesOf(baseball, read.states[5])).toMatchObject({ balls: '1', plate: '___', first: '(id_100)' });
  expect(readTrace(baseball, `${good} <advance>`)).toMatchObject({ readable: good.length });
  expect(readTrace(baseball, 'play ball')).toMatchObject({ readable: 0, failure: { code: 'not-a-verb' } });
  expect(readTrace(chess, ' e2e4  e7e5\ne1e3 a7a6')).toMatchObject({ readable: 11 });
});

test.each(DOMAINS.map((domain) => [domain.name, domain] as const))(
  'examples of %s are whole legal games, told event by event, opened where something stands',
  (_, domain) => {
    for (const number of [1, 2, 5]) {
      const line = exampleLine(domain, number);
      const { events, states, failure, readable } = readTrace(domain, line);
      expect([failure, readable]).toEqual([null, line.length]);
      const lines = recordLines(domain, events);
      expect(lines.flatMap((each) => each.events)).toHaveLength(events.length);
      expect(lines.map(({ from }) => from)).toEqual(
        lines.map((_line, i) => lines.slice(0, i).reduce((sum, each) => sum + each.events.length, 0)),
      );
      expect(Array.from(events, (event) => eventText(domain, event)).join(' ')).toBe(line);
      const at = liveliest(domain, states);
      expect(at).toBeGreaterThan(0);
      expect(at).toBeLessThanOrEqual(states.length / 2);
    }
    expect(exampleLine(domain, 1)).not.toBe(exampleLine(domain, 2));
  },
);

test('nothing is the game before its first event, in every domain', () => {
  for (const domain of DOMAINS)
    expect(readTrace(domain, ' \n')).toMatchObject({ failure: null, events: new Uint16Array() });
});
