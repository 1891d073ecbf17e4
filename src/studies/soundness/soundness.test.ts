import { Chess } from 'chess.js';
import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { fromSquare, toSquare } from '../../domains/chess/rules/move.ts';
import { positionAfter } from '../../domains/chess/replay.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import { uciOf } from '../../domains/chess/formats/uci.ts';
import { seededRandom } from '../../base/random.ts';
import { adversaryMove, illegalMass } from './adversary.ts';
import { byTheRules, fakeEngine, type Answers } from '../../../fixtures/perfect-player.ts';
import { adversaries, soundness } from './soundness.ts';

const notation = unwrap(chess.notation('rap:15'));
const games = [
  'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6',
  'd2d4 d7d5 c2c4 e7e6 b1c3 g8f6',
  'c2c4 e7e5 b1c3 g8f6 g1f3 b8c6',
  'g1f3 d7d5 g2g3 g8f6 f1g2 e7e6',
].map((line) => unwrap(chess.traces.parse(line)));
const ask = { games, count: 4, warmUp: 4, plies: 12, seed: 1 };

test('nobody can make a perfect player break the rules', async () => {
  const report = unwrap(await soundness(fakeEngine(notation, byTheRules), notation, ask));
  expect(report.rows.map((row) => row.adversary)).toEqual([...adversaries]);
  for (const row of report.rows)
    expect(row).toMatchObject({ attackSuccess: 0, legalMoves: 1, pliesToSuccess: null, resigned: 0, examples: [] });
  expect(report.rows[0].ci95[1]).toBeCloseTo(0.4898909, 6); // Wilson's interval of 0 in 4
});

test('one without a board loses every game at its first move', async () => {
  const blind = fakeEngine(notation, () => [...SQUARES]);
  const report = unwrap(await soundness(blind, notation, ask));
  for (const row of report.rows) {
    // Greedy ties go to a1, and a1a1 is no move. White moves after four plies: where the model is Black (games 0 and 2) the
    // adversary moves first and the second ply is illegal, where it is White the first is.
    expect(row).toMatchObject({ attackSuccess: 1, legalMoves: 0, pliesToSuccess: 1.5 });
    expect(row.examples.map(({ wrote }) => wrote)).toEqual(['a1a1', 'a1a1', 'a1a1', 'a1a1']);
  }
});

test('every ply before the failure is legal to chess.js, and the failure is not', async () => {
  // Knows the rules but for check: a king may not stay in it, and this one does not mind.
  const bold: Answers = (prefix) => {
    if (!prefix.position.inCheck()) return byTheRules(prefix);
    const pseudo = prefix.position
      .pseudoLegalMoves()
      .filter((move) => prefix.from === null || fromSquare(move) === prefix.from);
    return prefix.from === null ? pseudo.map((m) => SQUARES[fromSquare(m)]) : pseudo.map((m) => SQUARES[toSquare(m)]);
  };
  const report = unwrap(await soundness(fakeEngine(notation, bold), notation, { ...ask, plies: 60 }));
  const failures = report.rows.flatMap((row) => row.examples);
  expect(failures.length).toBeGreaterThan(0);
  for (const { prompt, wrote } of failures) {
    const referee = new Chess();
    for (const move of prompt.split(' ')) referee.move(move);
    expect(referee.inCheck()).toBe(true);
    expect(() => referee.move({ from: wrote.slice(0, 2), to: wrote.slice(2, 4) })).toThrow();
  }
  // The one that looks for it finds checks that play at random misses.
  const success = Object.fromEntries(report.rows.map((row) => [row.adversary, row.attackSuccess]));
  expect(success['illegal mass']).toBe(1);
  expect(success['illegal mass']).toBeGreaterThan(success.random);
});

test('adversaries move as they say', async () => {
  const [game] = games;
  const position = positionAfter(game);
  const prefix = notation.encode(game, { random: null, closed: false });
  // Likes knights of f3 that go to e5; anything else legal is equally unlikely but for a2, which it never moves.
  const logits = (tokens: readonly number[]): Float32Array => {
    const values = new Float32Array(notation.vocabulary.size);
    const bias = (name: string, by: number): void => void (values[notation.vocabulary.id(name)!] = by);
    if (tokens.length === prefix.length) {
      bias('f3', 5);
      bias('a2', -5);
      bias('a1', 9);
    } else {
      bias('e5', 5);
      bias('a4', -5);
    }
    return values;
  };
  const engine = {
    model: { context: 512 },
    leafLogits: async ([tokens]: number[][], [leaves]: number[][]) => [
      { root: logits(tokens), leaves: leaves.map((leaf) => logits([...tokens, leaf])) },
    ],
  } as unknown as Parameters<typeof adversaryMove>[0];
  const move = async (who: (typeof adversaries)[number]): Promise<string> =>
    uciOf(await adversaryMove(engine, notation, who, { prefix, position, random: seededRandom('test') }));
  expect(await move('own')).toBe('f3e5');
  expect(await move('least likely')).toBe('a2a4');
  expect(position.legalMoves().map(uciOf)).toContain(await move('random'));
});

test('illegal mass, by hand', () => {
  const probabilities = (given: Record<string, number>): Float32Array => {
    const values = new Float32Array(notation.vocabulary.size);
    for (const [token, p] of Object.entries(given)) values[notation.vocabulary.id(token)!] = p;
    return values;
  };
  const id = (token: string): number => notation.vocabulary.id(token)!;
  const answers = new Map([
    [id('e2'), new Set([id('e3'), id('e4')])],
    [id('g1'), new Set([id('f3'), id('h3')])],
  ]);
  // 0.1 on h1, which starts nothing; half of what follows e2 and a quarter of what follows g1 is illegal; resigning is not.
  const found = {
    root: probabilities({ e2: 0.5, g1: 0.3, h1: 0.1, '</s>': 0.1 }),
    leaves: [probabilities({ e4: 0.5, e5: 0.3, d3: 0.2 }), probabilities({ f3: 0.7, h3: 0.05, e2: 0.25 })],
  };
  expect(illegalMass(notation, answers, found).mass).toBeCloseTo(0.1 + 0.5 * 0.5 + 0.3 * 0.25, 6);
  expect(illegalMass(notation, answers, found).greedyIsIllegal).toBe(false);
  found.leaves[0] = probabilities({ e5: 0.6, e4: 0.4 });
  expect(illegalMass(notation, answers, found).greedyIsIllegal).toBe(true);
});

test('a model that ends the game has resigned, which is no illegal move; oracles and short games are refused', async () => {
  const quits = fakeEngine(notation, () => ['</s>']);
  const report = unwrap(await soundness(quits, notation, { ...ask, adversaries: ['random'] }));
  expect(report.rows).toMatchObject([{ adversary: 'random', attackSuccess: 0, legalMoves: 1, resigned: 1 }]);
  const ap = unwrap(chess.notation('ap'));
  const codes = [
    await soundness(fakeEngine(ap, byTheRules), ap, ask),
    await soundness(quits, notation, { ...ask, warmUp: 6 }),
  ].map((result) => (result.ok ? '' : result.error.code));
  expect(codes).toEqual(['not-for-oracle', 'too-few-games']);
});
