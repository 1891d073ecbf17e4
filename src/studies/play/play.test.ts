import { expect, test } from 'vitest';
import { Chess } from 'chess.js';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { noughts } from '../../domains/noughts/noughts.ts';
import type { Engine } from '../../engine/engine.ts';
import { fakeEngine, byTheRules } from '../../../fixtures/perfect-player.ts';
import { modelTurn, isIllegal } from './model-turn.ts';
import { playedGame } from './move-reader.ts';
import { strength } from './strength.ts';
import { strengthSentence } from './strength-study.ts';

const notation = unwrap(chess.notation('rap:15'));
const game = unwrap(playedGame({ config: null, notation }));
const moves = (line: string): Uint16Array => unwrap(chess.traces.parse(line));
const cold = () => ({ temperature: 0, random: seededRandom('cold') });

/** Wants a knight to f3 wherever one asks, and is otherwise indifferent. */
const stubborn = fakeEngine(notation, (prefix) =>
  prefix.from === null ? ['g1'] : prefix.from === 6 && prefix.to === null ? ['f3'] : byTheRules(prefix),
);

test('a legal first choice is played as it was chosen', async () => {
  const turn = unwrap(await modelTurn(stubborn, game, new Uint16Array(), cold()));
  expect(turn.choice).toMatchObject({ text: 'Nf3', why: null, ended: false });
  expect(turn.choice.probability).toBeCloseTo(1, 5);
  expect(turn.played.event).toBe(moves('g1f3')[0]);
  expect(turn.choices[0]).toEqual(turn.choice);
});

test('an illegal choice is reported with its reason, and the likeliest legal move is played', async () => {
  const turn = unwrap(await modelTurn(stubborn, game, moves('g1f3 g8f6'), cold()));
  expect(isIllegal(turn.choice)).toBe(true);
  expect(turn.choice).toMatchObject({ text: 'g1-f3', event: null });
  expect(turn.choice.why).toMatch(/g1/);
  const referee = new Chess();
  for (const move of ['g1f3', 'g8f6']) referee.move(move);
  expect(referee.moves()).toContain(turn.played.text);
});

test('choices are the likeliest whole moves, whatever the first square promises', async () => {
  // One square that leads to eight moves alike, one that leads to a single move.
  const split = fakeEngine(notation, ({ from }) =>
    from === null ? ['b1', 'e2'] : from === 12 ? ['e4'] : ['a3', 'c3', 'd2'],
  );
  const { choices } = unwrap(await modelTurn(split, game, new Uint16Array(), cold()));
  expect(choices[0]).toMatchObject({ text: 'e4', probability: 0.5 });
  expect(choices.slice(1).map(({ text }) => text)).toEqual(expect.arrayContaining(['Na3', 'Nc3', 'Nb1-d2']));
  for (const { probability } of choices.slice(1)) expect(probability).toBeCloseTo(1 / 6, 6);
});

test('to end the game is no illegal choice; a legal move is played instead', async () => {
  const resigns = fakeEngine(notation, (prefix) => (prefix.moves.length === 2 ? ['</s>'] : byTheRules(prefix)));
  const turn = unwrap(await modelTurn(resigns, game, moves('g1f3 g8f6'), cold()));
  expect(turn.choice).toMatchObject({ ended: true, event: null });
  expect(isIllegal(turn.choice)).toBe(false);
  expect(chess.legal(chess.apply(chess.apply(chess.initial(), moves('g1f3')[0]), moves('g1f3 g8f6')[1]))).toContain(
    turn.played.event,
  );
});

test('a promotion is a move of its own for each piece', async () => {
  const line = 'b2b4 a7a5 b4a5 b7b6 a5b6 g8f6 b6b7 f6g8';
  const promotes = fakeEngine(notation, ({ from, to }) => (from === null ? ['b7'] : to === null ? ['a8'] : ['q', 'n']));
  const { choices } = unwrap(await modelTurn(promotes, game, moves(line), cold()));
  expect(choices.map(({ text }) => text)).toEqual(expect.arrayContaining(['bxa8=Q', 'bxa8=N']));
});

test('the same seed gives the same move, another seed may not', async () => {
  const engine = fakeEngine(notation, byTheRules);
  const played = async (seed: number) =>
    unwrap(await modelTurn(engine, game, new Uint16Array(), { temperature: 1, random: seededRandom('t', seed) })).choice
      .text;
  expect(await played(1)).toBe(await played(1));
  expect(new Set(await Promise.all([1, 2, 3, 4, 5, 6].map(played))).size).toBeGreaterThan(2);
});

test('a model that names its pieces plays by name', async () => {
  const ap = unwrap(chess.notation('ap'));
  const named = unwrap(playedGame({ config: null, notation: ap }));
  const wants = (name: string) =>
    fakeEngine(ap, (prefix) => (prefix.kind === null ? [name] : prefix.from === null ? ['g1'] : ['f3']));
  const right = unwrap(await modelTurn(wants('N'), named, new Uint16Array(), cold()));
  expect(right.choice).toMatchObject({ text: 'Nf3', why: null });
  const wrong = unwrap(await modelTurn(wants('B'), named, new Uint16Array(), cold()));
  expect(wrong.choice.event).toBeNull();
  expect(wrong.choice.why).toContain('names a bishop');
  expect(chess.legal(chess.initial())).toContain(wrong.played.event);
});

test('noughts is played by tokens that are whole moves', async () => {
  const splat = unwrap(noughts.notation('splat'));
  const config = { domain: 'noughts', questions: null } as unknown as RunConfig;
  const board = unwrap(playedGame({ config, notation: splat }));
  // Wants a1 always, and else b2.
  const engine = {
    model: { context: 64 },
    leafLogits: async () => {
      const root = new Float32Array(splat.vocabulary.size).fill(-20);
      root[splat.vocabulary.id('a1')!] = 2;
      root[splat.vocabulary.id('b2')!] = 1;
      return [{ root, leaves: [] }];
    },
  } as unknown as Engine;
  const after = unwrap(noughts.traces.parse('a1 c3'));
  expect(unwrap(await modelTurn(engine, board, new Uint16Array(), cold())).choice).toMatchObject({
    text: 'a1',
    why: null,
  });
  const turn = unwrap(await modelTurn(engine, board, after, cold()));
  expect(isIllegal(turn.choice)).toBe(true);
  expect(turn.choice.text).toBe('a1');
  expect(turn.played.text).toBe('b2');
});

test('a model that does not say how it writes moves whole cannot play', async () => {
  const found = playedGame({ config: null, notation: unwrap(chess.notation('splat')) });
  expect(found).toMatchObject({ ok: false, error: { code: 'not-played' } });
});

const held = Array.from({ length: 30 }, (_, i) => randomGame(seededRandom('held out', i), 40));
const ask = { games: held, count: 8, warmUp: 4, plies: 30, temperature: 0, seed: 1 };

test('strength counts points and illegal choices, and its seed decides the games', async () => {
  const engine = fakeEngine(notation, byTheRules);
  const report = unwrap(await strength(engine, game, ask));
  expect(report.won + report.drawn + report.lost).toBe(8);
  expect(report.score).toBeCloseTo((report.won + report.drawn / 2) / 8, 12);
  expect(report.illegal).toBe(0);
  expect(report.ci95[0]).toBeLessThanOrEqual(report.score);
  expect(report.ci95[1]).toBeGreaterThanOrEqual(report.score);
  expect(unwrap(await strength(engine, game, ask))).toEqual(report);
  expect(strengthSentence(report)).toMatch(
    /^Scores \d+ to \d+% against random moves in 8 games; 0 to \d% of its \d+ choices are illegal\.$/,
  );
});

test('every illegal choice is counted, and the game goes on', async () => {
  const report = unwrap(await strength(stubborn, game, { ...ask, games: [], warmUp: 0, count: 2 }));
  // As White it may choose Nf3 legally once at most.
  expect(report.illegal).toBeGreaterThanOrEqual(report.moves - 4);
  expect(report.moves).toBe(30);
  expect(report.examples[0].why).not.toBe('');
});

test('strength is cancelled, and refuses what it cannot do', async () => {
  const engine = fakeEngine(notation, byTheRules);
  expect(await strength(engine, game, ask, { cancelled: () => true })).toMatchObject({ error: { code: 'cancelled' } });
  expect(await strength(engine, game, { ...ask, count: 0 })).toMatchObject({ error: { code: 'bad-request' } });
  expect(await strength(engine, game, { ...ask, count: 300 })).toMatchObject({ error: { code: 'too-few-games' } });
});
