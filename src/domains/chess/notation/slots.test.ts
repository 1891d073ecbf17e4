import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { slotAfter, slotsOf } from '../../../base/slot-grammar.ts';
import { promotionOf } from '../rules/move.ts';
import { notationNamed } from './notation.ts';
import { replay } from '../replay.ts';
import { chessSlots, SLOT_KINDS } from './slots.ts';
import { vocabulary } from './vocabulary.ts';

const ids = (expected: string): number[] => expected.split(' ').map((token) => vocabulary.id(token)!);
const slotText = (slot: number): string => `${slot < 5 ? 'white' : 'black'} ${SLOT_KINDS[slot % 5]}`;
const slotTexts = (tokens: number[]): string[] => Array.from(slotsOf(chessSlots, tokens).slots, slotText);

// Both sides promote: white takes h8 and makes a knight, black reaches h1 and makes a queen.
const GAME = 'e2e4 d7d5 e4e5 f7f5 e5f6 d5d4 f6g7 d4d3 g7h8n d3c2 a2a3 c2d1q e1d1 e8d7';

describe('the slots of chess', () => {
  it('are kind and side of every token', () => {
    expect(slotTexts(ids('<s> P e2 e4 e7 e5 </s> <pad>'))).toEqual([
      'white special',
      'white piece name',
      'white from',
      'white to',
      'black from',
      'black to',
      'white special',
      'white special',
    ]);
    expect(slotTexts(ids('<s> g7 h8 q K e8 e7 b7 a8 n a7 b8 q </s>')).slice(1)).toEqual([
      'white from',
      'white to',
      'white promotion',
      'black piece name',
      'black from',
      'black to',
      'white from',
      'white to',
      'white promotion',
      'black from',
      'black to',
      'black promotion',
      'white special',
    ]);
  });

  it('follow the moves of a game with names and promotions', () => {
    const trace = unwrap(replay(GAME));
    const random = seededRandom('slots');
    for (const name of ['uci', 'rap:30', 'rap:100']) {
      const notation = unwrap(notationNamed(name));
      const tokens = notation.encode(trace, { random, closed: true });
      const wanted = ['white special'];
      let at = 1;
      for (let ply = 0; ply < trace.length; ply++) {
        const side = ply % 2 ? 'black' : 'white';
        if (tokens[at] >= 3 && tokens[at] <= 8) at = wanted.push(`${side} piece name`);
        wanted.push(`${side} from`, `${side} to`);
        if (promotionOf(trace[ply])) wanted.push(`${side} promotion`);
        at = wanted.length;
      }
      wanted.push(trace.length % 2 ? 'black special' : 'white special');
      expect(slotTexts(tokens)).toEqual(wanted);
      expect(notation.slots).toBe(chessSlots);
    }
    expect(
      slotTexts(unwrap(notationNamed('uci')).encode(trace, { random, closed: true })).filter((x) => /promo/.test(x)),
    ).toEqual(['white promotion', 'black promotion']);
  });

  it('of a leaf are those it would have as a token', () => {
    const prefix = ids('<s> g7 h8');
    const { state } = slotsOf(chessSlots, prefix);
    for (let token = 0; token < vocabulary.size; token++)
      expect(slotAfter(chessSlots, state, token)).toBe(slotsOf(chessSlots, [...prefix, token]).slots[3]);
    expect(slotText(slotAfter(chessSlots, state, vocabulary.id('q')!))).toBe('white promotion');
    expect(slotText(slotAfter(chessSlots, state, vocabulary.id('N')!))).toBe('black piece name');
  });

  it('has a slot and a next state for every token in every state', () => {
    expect(new Set(chessSlots.slot).size).toBe(chessSlots.count);
    expect(chessSlots.slot).toHaveLength(chessSlots.states * vocabulary.size);
    for (const state of chessSlots.next) expect(state).toBeLessThan(chessSlots.states);
  });
});
