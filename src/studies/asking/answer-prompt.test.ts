import { expect, test } from 'vitest';
import { tinyGpt2 } from '../../../fixtures/sample-run.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { parsePrompt } from '../../domains/chess/prompt.ts';
import { parseSquare } from '../../domains/chess/rules/squares.ts';
import type { Engine } from '../../engine/engine.ts';
import { createEngine } from '../../engine/runtimes/tfjs/create-engine.ts';
import type { GptConfig } from '../../models/gpt.ts';
import { initialParameters } from '../../models/model.ts';
import { answerPrompt } from './answer-prompt.ts';
import { playItself } from '../self-play/play-itself.ts';

const notation = unwrap(chess.notation('rap:15'));
const square = (name: string): number => unwrap(parseSquare(name));

/** Answers every question with the same tokens, best first. */
function stubborn(tokens: string[]): Engine {
  const logits = new Float32Array(77);
  tokens.forEach((token, i) => (logits[notation.vocabulary.id(token)!] = 20 - i));
  return {
    leafLogits: async (_: unknown, leaves: readonly (readonly number[])[]) => [
      { root: logits, leaves: leaves[0].map(() => logits) },
    ],
  } as unknown as Engine;
}

const ask = (engine: Engine, text: string) => answerPrompt(engine, notation, unwrap(parsePrompt(text)), 3, () => 0);

test('an end question: legal squares, the error by name, the piece in the way', async () => {
  const answer = await ask(stubborn(['h3', 'b5', 'g1', 'a2']), 'e2e4 e7e5 g1f3 b8c6 f1');
  expect(answer.legal.sort((a, b) => a - b)).toEqual(['e2', 'd3', 'c4', 'b5', 'a6'].map(square).sort((a, b) => a - b));
  expect(answer.candidates.slice(0, 4).map(({ token, legal, error }) => [token, legal, error])).toEqual([
    ['h3', false, 'path obstruction'],
    ['b5', true, null],
    ['g1', false, 'syntax'],
    ['a2', false, 'unreachable'],
  ]);
  expect(answer.candidates[0].blockers).toEqual([square('g2')]);
  expect(answer.candidates[0].why).toMatch(/g2/);
});

test('a move that leaves the king in check is told with the line of the check', async () => {
  const [top] = (await ask(stubborn(['c3']), 'd2d4 e7e6 c2c4 f8b4 d1')).candidates;
  expect(top).toMatchObject({ token: 'c3', legal: false });
  // The knight could block on c3; a queen cannot get there. From b1 it may.
  const [knight] = (await ask(stubborn(['c3']), 'd2d4 e7e6 c2c4 f8b4 b1')).candidates;
  expect(knight.legal).toBe(true);
  const [pawn] = (await ask(stubborn(['h4']), 'd2d4 e7e6 c2c4 f8b4 h2')).candidates;
  expect(pawn).toMatchObject({
    legal: false,
    error: 'pseudo legal',
    checkLines: [{ from: square('b4'), to: square('e1') }],
  });
});

test('castling and promotion squares are right answers to a person, unlike in the probes', async () => {
  const castle = await ask(stubborn(['g1']), 'e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1');
  expect(castle.candidates[0]).toMatchObject({ token: 'g1', legal: true });
  const promote = await ask(stubborn(['a8']), 'b2b4 a7a5 b4a5 b7b6 a5b6 g8f6 b6b7 f6g8 b7');
  expect(promote.candidates[0]).toMatchObject({ token: 'a8', legal: true });
});

test('a start question is answered by squares of the side to move; piece names are never answers', async () => {
  const answer = await ask(stubborn(['N', 'c6', 'f3', 'e4', 'a5']), 'e2e4 e7e5 g1f3 b8c6 N');
  expect(answer.candidates.slice(0, 4).map(({ token, legal }) => [token, legal])).toEqual([
    ['c6', false],
    ['f3', true],
    ['e4', false],
    ['a5', false],
  ]);
  expect(answer.candidates[0].why).toContain("Black's");
  expect(answer.candidates[2].why).toContain('pawn');
  expect(answer.candidates[3].why).toContain('empty');
  expect(answer.pieces.N[square('c6')]).toBeGreaterThan(0.4);
  expect(answer.squares.reduce((sum, p) => sum + p, 0)).toBeLessThanOrEqual(1.0001);
});

/** Logits by what was read: the last prefix that the sequence ends with decides; each an answer, likeliest first. */
function telling(after: Record<string, string[]>): Engine {
  const logitsAfter = (sequence: readonly number[]): Float32Array => {
    const text = sequence.map((token) => notation.vocabulary.tokens[token]).join(' ');
    const key = Object.keys(after)
      .filter((end) => text.endsWith(end))
      .sort((a, b) => b.length - a.length)[0];
    const logits = new Float32Array(77);
    (after[key] ?? []).forEach((token, i) => (logits[notation.vocabulary.id(token)!] = 20 - i));
    return logits;
  };
  return {
    model: { context: 512 },
    leafLogits: async (prefixes: readonly (readonly number[])[], leaves: readonly (readonly number[])[]) =>
      prefixes.map((prefix, i) => ({
        root: logitsAfter(prefix),
        leaves: leaves[i].map((leaf) => logitsAfter([...prefix, leaf])),
      })),
    continue: (prefix: readonly number[]) => {
      const sequence = [...prefix];
      return {
        logits: async () => logitsAfter(sequence),
        advance: (token: number) => void sequence.push(token),
        get length() {
          return sequence.length;
        },
        dispose: () => {},
      };
    },
  } as unknown as Engine;
}

const ap = unwrap(chess.notation('ap'));

test('a model that names every piece is asked with the name, and says a name next or castles', async () => {
  const engine = telling({
    'N g1': ['f3'],
    g1: ['h3'],
    'P e7 e5': ['N', 'R', 'e1'],
    'e7 e5 N': ['g1', 'b1'],
    'B f8 e7': ['e1', 'd1', 'K', 'Q'],
  });
  const asked = await answerPrompt(engine, ap, unwrap(parsePrompt('e2e4 e7e5 g1')), 3, () => 0);
  expect(asked.candidates[0]).toMatchObject({ token: 'f3', legal: true });
  const next = await answerPrompt(engine, ap, unwrap(parsePrompt('e2e4 e7e5')), 3, () => 0);
  expect(next.candidates.slice(0, 3).map(({ token, legal }) => [token, legal])).toEqual([
    ['N', true],
    ['R', false],
    ['e1', false],
  ]);
  expect(next.candidates[1].why).toBe('no rook has a legal move');
  expect(next.candidates[2].why).toContain('castling');
  // Of the start squares, those of the named knight have the chance of the name: e^0 of e^0 + e^-1 + e^-2 ...
  expect(next.squares[square('g1')]).toBeCloseTo(next.candidates[0].probability / (1 + Math.exp(-1)), 2);
  expect(next.legalMass).toBeGreaterThan(0.6);
  const castling = await answerPrompt(engine, ap, unwrap(parsePrompt('e2e4 e7e5 g1f3 g8f6 f1e2 f8e7')), 3, () => 0);
  expect(castling.candidates.slice(0, 4).map(({ token, legal }) => [token, legal])).toEqual([
    ['e1', true],
    ['d1', false],
    ['K', true],
    ['Q', false],
  ]);
});

test('a king that is named does not castle, so that castling answers no End question there', async () => {
  const asked = (tokens: string[], prefix: string) =>
    answerPrompt(telling({ 'K e1': tokens }), ap, unwrap(parsePrompt(prefix)), 3, () => 0);
  const answer = await asked(['g1', 'f1'], 'e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1');
  expect(answer.legal).toEqual([square('f1')]);
  expect(answer.candidates.slice(0, 2).map(({ token, legal, error }) => [token, legal, error])).toEqual([
    ['g1', false, 'syntax'],
    ['f1', true, null],
  ]);
  expect(answer.candidates[0].why).toMatch(/castling carries no piece name/);
});

test('a model that names every piece plays itself: a wrong name or none is told, and castling has none', async () => {
  const engine = telling({
    '<s>': ['N'],
    '<s> N': ['e2', 'g1'],
    'N e2': ['e4'],
    'N g1': ['f3'],
    'g1 f3': ['g8', 'N'],
    'f3 g8': ['f6'],
    'f3 N': ['g8'],
    'N g8': ['f6'],
    'g8 f6': ['P'],
    'f6 P': ['e2'],
    'P e2': ['e4'],
    'e2 e4': ['P'],
    'e4 P': ['e7'],
    'P e7': ['e5'],
    'e7 e5': ['B'],
    'e5 B': ['f1'],
    'B f1': ['e2'],
    'f1 e2': ['B'],
    'e2 B': ['f8'],
    'B f8': ['e7'],
    'f8 e7': ['K'],
    'e7 K': ['e1'],
    'K e1': ['g1', 'f1'],
    'e1 f1': ['e8'],
    'f1 e8': ['g8'],
  });
  const game = await playItself(engine, ap, { step: 0, plies: 8, temperature: 0.05, random: seededRandom('names') });
  expect(game.plies.map(({ wrote, why, played }) => [wrote, why, played])).toEqual([
    ['Ne2e4', 'names a knight, but a pawn makes the move', 'g1f3'],
    ['g8f6', 'does not name the knight it moves', 'g8f6'],
    ['Pe2e4', null, 'e2e4'],
    ['Pe7e5', null, 'e7e5'],
    ['Bf1e2', null, 'f1e2'],
    ['Bf8e7', null, 'f8e7'],
    ['Ke1g1', 'castling carries no piece name', 'e1f1'],
    ['e8g8', null, 'e8g8'],
  ]);
  expect(game.legalPlies).toBe(5);
});

test('an untrained model plays a whole game: every wrong ply is kept, every played one is legal, and the seed decides', async () => {
  const model: GptConfig = { ...tinyGpt2({ context: 128 }), vocabulary: 77, slots: null };
  const engine = await createEngine({
    backend: 'cpu',
    model,
    parameters: initialParameters(model, seededRandom('play')),
  });
  const tensors = engine.memory().tensors;
  const game = (seed: number) =>
    playItself(engine, notation, { step: 0, plies: 20, temperature: 0.7, random: seededRandom('game', seed) });
  const played = await game(1);
  expect(played.plies.length).toBeGreaterThan(0);
  const line = played.plies.map((ply) => ply.played).join(' ');
  expect(unwrap(chess.traces.parse(line))).toHaveLength(played.plies.length);
  expect(played.legalPlies).toBe(played.plies.filter((ply) => ply.legal).length);
  for (const ply of played.plies) if (!ply.legal) expect(ply.why).toBeTruthy();
  expect(await game(1)).toEqual(played);
  expect(engine.memory().tensors).toBe(tensors);
  engine.dispose();
});
