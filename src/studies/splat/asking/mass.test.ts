import { Chess, type Color, type PieceSymbol, type Square } from 'chess.js';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { massesOf } from './mass.ts';

const chess = unwrap(domainNamed('chess'));
const { vocabulary } = unwrap(chess.notation('splat'));
const trace = (line: string): Uint16Array => unwrap(chess.traces.parse(line));

/** Some probability for every token, none alike. */
function someProbabilities(size: number, key: number): Float32Array {
  const random = seededRandom('masses', key);
  const weights = Array.from({ length: size }, () => random.next());
  const sum = weights.reduce((all, one) => all + one, 0);
  return Float32Array.from(weights, (weight) => weight / sum);
}

/** All that one piece can do alone, by chess.js on a board with it and nothing else. */
function aloneOn(square: Square, type: PieceSymbol, color: Color): string[] {
  const board = new Chess('8/8/8/8/8/8/8/8 w - - 0 1', { skipValidation: true });
  board.put({ type, color }, square);
  const fen = board.fen().split(' ');
  fen[1] = color;
  const alone = new Chess(fen.join(' '), { skipValidation: true });
  return alone.moves({ verbose: true }).map(({ lan }) => lan);
}

/** In-pattern and legal mass, slowly and by chess.js alone. */
function slowly(line: string, probabilities: Float32Array): { legal: number; inPattern: number } {
  const game = new Chess();
  for (const move of line.split(' ').filter(Boolean)) game.move(move);
  const legal = game.moves({ verbose: true }).map(({ lan }) => lan);
  const alone = game
    .board()
    .flat()
    .flatMap((one) => (one !== null && one.color === game.turn() ? aloneOn(one.square, one.type, one.color) : []));
  const massOf = (moves: Iterable<string>) =>
    [...new Set(moves)].reduce((sum, move) => sum + probabilities[vocabulary.id(move)!], 0);
  return { legal: massOf(legal), inPattern: massOf([...legal, ...alone]) };
}

it.each([
  '',
  'e2e4 e7e5 g1f3 b8c6 f1c4 g8f6',
  // A pawn can capture, White can castle.
  'e2e4 d7d5 g1f3 g8f6 f1e2 b8c6',
  // Promotion straight and by capture; the king stands in the way of the queen.
  'a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6',
  // En passant.
  'e2e4 a7a6 e4e5 d7d5',
  // In check.
  'e2e4 f7f5 d1h5',
])('after "%s" the masses are those of chess.js', (line) => {
  const probabilities = someProbabilities(vocabulary.size, line.length);
  const masses = massesOf(chess, trace(line), probabilities);
  const expected = slowly(line, probabilities);
  expect(masses.legalMass).toBeCloseTo(expected.legal, 6);
  expect(masses.inPatternMass).toBeCloseTo(expected.inPattern, 6);
  expect(masses.inPatternMass).toBeGreaterThanOrEqual(masses.legalMass);
});

it('by hand: before the first move the queen is blocked, a pawn has nothing to take, and the king does not castle', () => {
  const probabilities = new Float32Array(vocabulary.size);
  const give = (token: string, share: number): void => {
    probabilities[vocabulary.id(token)!] = share;
  };
  give('e2e4', 0.4);
  give('d1h5', 0.2);
  give('e2d3', 0.1);
  give('e1g1', 0.1);
  give('d1e3', 0.1);
  give('d8d5', 0.1);
  const { legalMass, inPatternMass } = massesOf(chess, new Uint16Array(0), probabilities);
  expect(legalMass).toBeCloseTo(0.4, 6);
  expect(inPatternMass).toBeCloseTo(0.6, 6);
});

it('baseball has legal verbs and no pattern', () => {
  const baseball = unwrap(domainNamed('baseball'));
  const tokens = unwrap(baseball.notation('splat')).vocabulary;
  const probabilities = new Float32Array(tokens.size);
  probabilities[tokens.id('<ball>')!] = 0.25;
  probabilities[tokens.id('<newbatter>')!] = 0.75;
  const line = (text: string): Uint16Array => unwrap(baseball.traces.parse(text));
  expect(massesOf(baseball, line('<sog> <newbatter> (id_100)'), probabilities)).toEqual({
    legalMass: 0.25,
    inPatternMass: null,
  });
  expect(massesOf(baseball, line('<sog>'), probabilities).legalMass).toBe(0.75);
});
