import { expect, it } from 'vitest';
import { scriptedEngine } from '../../../../fixtures/scripted-engine.ts';
import { unwrap } from '../../../base/result.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { askLegalVerbs } from './legal-verbs.ts';

const [chess, baseball] = ['chess', 'baseball'].map((name) => unwrap(domainNamed(name)));
const splat = unwrap(chess.notation('splat'));

it('counts the legal among the R likeliest of the whole vocabulary, and the probability on them', async () => {
  // Twenty moves are legal at first. Likeliest are e2e4, d2d4 and a square; sixteen tokens that come first of the rest,
  // ties going to the lower id, are no moves at all.
  const engine = scriptedEngine(splat.vocabulary, () => ({ e2e4: 0.5, d2d4: 0.2, e4: 0.1, e2e5: 0.05 }));
  const [answer] = unwrap(await askLegalVerbs(engine, chess, splat, [Uint16Array.of()]));
  const rest = 0.15 / (splat.vocabulary.size - 4);
  expect(answer).toMatchObject({ events: 0, legal: 20, rPrecision: 2 / 20 });
  expect(answer.legalMass).toBeCloseTo(0.7 + 18 * rest, 6);
  expect(answer.inPatternMass).toBeGreaterThanOrEqual(answer.legalMass);
  expect(answer.spelling).toEqual({ tokens: 20, rPrecision: 2 / 20 });
});

it('is asked after whole events, in the order of the prefixes, of few or none that are legal too', async () => {
  const mate = unwrap(chess.traces.parse('f2f3 e7e5 g2g4 d8h4'));
  const check = unwrap(chess.traces.parse('e2e4 f7f6 d2d4 g7g5 d1h5'));
  // King e8 in check by h5: no move is legal; after the fool's mate neither, and [end] is what may come.
  const engine = scriptedEngine(splat.vocabulary, (words) =>
    words.at(-1) === 'd8h4' ? { '[end]': 0.9 } : { e8f7: 0.8 },
  );
  const answers = unwrap(await askLegalVerbs(engine, chess, splat, [check, mate, mate.subarray(0, 3)]));
  expect(answers.map(({ events }) => events)).toEqual([5, 4, 3]);
  expect(answers.map(({ legal }) => legal)).toEqual([1, 1, 30]);
  expect(answers.map(({ rPrecision }) => rPrecision)).toEqual([0, 1, 0]);
  expect(answers[1].legalMass).toBeCloseTo(0.9, 6);
});

it('of baseball ranks tokens of verbs, all 144 of the vocabulary', async () => {
  const notation = unwrap(baseball.notation('splat'));
  const trace = unwrap(baseball.traces.parse('<sog> <newbatter> (id_100)'));
  // With a batter and no runner: ball, strike, foul, hit, advance, out.
  const engine = scriptedEngine(notation.vocabulary, (words) => {
    expect(words.at(-1)).toBe('(id_100)');
    return {
      '<ball>': 0.3,
      '<strike>': 0.2,
      '<foul>': 0.1,
      '<sub>': 0.09,
      '(plate)': 0.08,
      '<out>': 0.07,
      '<hit>': 0.06,
    };
  });
  const [answer] = unwrap(await askLegalVerbs(engine, baseball, notation, [trace]));
  expect(answer).toMatchObject({ events: 2, legal: 6, rPrecision: 4 / 6, inPatternMass: null });
  // Spelt with those six, (plate), (first), (second), (third) and (score).
  expect(answer.spelling!.tokens).toBe(11);
  const rest = 0.1 / 137;
  expect(answer.legalMass).toBeCloseTo(0.73 + rest, 6);
});

it('refuses other notations, and prefixes that do not fit', async () => {
  const uci = unwrap(chess.notation('uci'));
  const engine = scriptedEngine(splat.vocabulary, () => ({}), 3);
  const prefix = unwrap(chess.traces.parse('e2e4 e7e5 g1f3'));
  expect(await askLegalVerbs(engine, chess, uci, [prefix])).toMatchObject({ error: { code: 'not-splat' } });
  expect(await askLegalVerbs(engine, chess, splat, [prefix])).toMatchObject({ error: { code: 'too-long' } });
  expect(await askLegalVerbs(engine, chess, splat, [prefix.subarray(0, 2)])).toMatchObject({ ok: true });
});
