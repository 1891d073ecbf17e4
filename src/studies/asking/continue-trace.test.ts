import { expect, test } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { baseball } from '../../domains/baseball/baseball.ts';
import { splatNotation } from '../../domains/baseball/splat-notation.ts';
import type { Engine } from '../../engine/engine.ts';
import { continueTrace } from './continue-trace.ts';
import { QUESTIONS } from '../splat/questions/questions.ts';

const { vocabulary } = splatNotation;

/** A model that writes these tokens whatever comes before, with as large a context as is said. */
function writer(line: string, context = 200) {
  const tokens = line.split(' ').map((token) => vocabulary.id(token)!);
  const state = { disposed: false, prefix: [] as readonly number[] };
  const engine = {
    model: { context },
    continue(prefix: readonly number[]) {
      let at = 0;
      state.prefix = prefix;
      return {
        logits: async () => Float32Array.from({ length: vocabulary.size }, (_, id) => (id === tokens[at] ? 50 : 0)),
        advance: (token: number) => {
          expect(token).toBe(tokens[at]);
          at++;
        },
        get length() {
          return prefix.length + at;
        },
        dispose: () => (state.disposed = true),
      };
    },
  } as unknown as Engine;
  return { engine, state };
}

const BEGUN = '<sog> <newbatter> (id_100) <ball>';

async function goOn(line: string, { events = 20, context = 200, from = BEGUN } = {}) {
  const { engine, state } = writer(line, context);
  const told: string[] = [];
  const written = await continueTrace(
    engine,
    { domain: baseball as never, notation: splatNotation, questions: QUESTIONS.baseball },
    unwrap(baseball.traces.parse(from)),
    { events, temperature: 1, random: seededRandom('continue'), onEvent: ({ text }) => told.push(text) },
  );
  return { written, told, state };
}

test('events of one, two and three tokens are told whole, until one breaks a rule', async () => {
  const { written, told, state } = await goOn(
    '<strike> <hit> <advance> (plate) (second) <atbat> <newbatter> (id_101) <advance> (third) (score)',
  );
  const { events } = unwrap(written);
  expect(told).toEqual([
    '<strike>',
    '<hit>',
    '<advance> (plate) (second)',
    '<atbat>',
    '<newbatter> (id_101)',
    '<advance> (third) (score)',
  ]);
  expect(events.map(({ legal }) => legal)).toEqual([true, true, true, true, true, false]);
  expect(events[5].why).toContain('nobody is on third');
  expect(state.prefix.map((id) => vocabulary.tokens[id]).join(' ')).toBe(`[start] ${BEGUN}`);
  expect(state.disposed).toBe(true);
});

test.each([
  ['what is no verb', '(plate) <ball>', '(plate)', 'stands where a verb should'],
  ['a verb without its arguments', '<advance> <ball> <ball>', '<advance> <ball> <ball>', 'stands where'],
  ['the end of a game that goes on', '[end]', '[end]', 'not over'],
])('%s is told as an event that is not legal', async (_, line, text, why) => {
  const { events } = unwrap((await goOn(line)).written);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ text, legal: false });
  expect(events[0].why).toContain(why);
});

test('it stops after as many events as were asked for, where the context is full, and where the game is over', async () => {
  const pitches = '<ball> <strike> <ball> <foul> <foul> <foul>';
  expect(unwrap((await goOn(pitches, { events: 3 })).written)).toMatchObject({ ending: 'Stopped after 3 events.' });
  // [start] and four tokens stand; an event may take three, so of ten tokens three are left for events of one.
  const full = unwrap((await goOn(pitches, { context: 10 })).written);
  expect(full.events).toHaveLength(3);
  expect(full.ending).toContain('context');
  expect((await goOn(pitches, { context: 7 })).written).toMatchObject({ error: { code: 'too-long' } });
  const [whole] = [...baseball.invented!.games(1, 4)];
  const over = unwrap((await goOn('[end]', { from: baseball.traces.format(whole), context: 2000 })).written);
  expect(over).toEqual({ events: [], ending: 'The model ended the game, which is over.' });
});
