import { Chess, type Square } from 'chess.js';
import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { parsePrompt } from '../../domains/chess/prompt.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import { comparePrompts, divergenceInBits } from './compare-prompts.ts';
import { counterfactual, type Counterfactual, type CounterfactualOptions, type Edit } from './counterfactual.ts';
import { byTheRules, fakeEngine } from '../../../fixtures/perfect-player.ts';

const square = (name: string): number => SQUARES.indexOf(name);
const LETTERS = '.PNBRQK..pnbrqk';

/** chess.js after a line; throws where a move is illegal. */
function referee(line: string): Chess {
  const game = new Chess();
  for (const move of line.split(' ')) game.move(move);
  return game;
}

const pieces = (game: Chess): string => game.fen().split(' ')[0];
const turn = (game: Chess): string => game.fen().split(' ')[1];

async function altered(line: string, edit: Edit, options: CounterfactualOptions = {}): Promise<Counterfactual> {
  return unwrap(await counterfactual(unwrap(chess.traces.parse(line)), edit, options));
}

async function failure(line: string, edit: Edit, options: CounterfactualOptions = {}): Promise<string> {
  const result = await counterfactual(unwrap(chess.traces.parse(line)), edit, options);
  return result.ok ? 'found' : result.error.code;
}

const ruy = 'e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 d2d3 f8c5';
const trade = 'e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 c7c6 g1f3 c8g4';

test.each([
  // The bishop takes on c6 and comes back.
  [ruy, { kind: 'remove', square: square('c6') }],
  // The knight of f6 takes on e4 and comes back.
  [ruy, { kind: 'remove', square: square('e4') }],
  [trade, { kind: 'remove', square: square('f3') }],
  // Its last move went elsewhere.
  [ruy, { kind: 'move', from: square('b5'), to: square('c4') }],
  [ruy, { kind: 'move', from: square('d3'), to: square('d4') }],
  // An early move played otherwise; the last one in another order, since the queen's check would come too soon.
  [ruy, { kind: 'move', from: square('c6'), to: square('a6') }],
  [trade, { kind: 'move', from: square('c3'), to: square('a3') }],
  // A pawn that was not taken.
  ['e2e4 e7e5 g1f3 b8c6 f3e5 g8f6 e5f3', { kind: 'add', square: square('e5'), piece: 9 }],
  ['e2e4 e7e5 g1f3 b8c6 f3e5 d7d6 e5f3 c8g4', { kind: 'add', square: square('e5'), piece: 9 }],
] as [string, Edit][])('%s: %o', async (line, edit) => {
  const found = await altered(line, edit);
  const [before, after] = [referee(line), referee(found.uci)];
  expect(turn(after)).toBe(turn(before));
  // What was asked, by chess.js's own board.
  const at = (index: number): Square => SQUARES[index] as Square;
  if (edit.kind === 'remove') before.remove(at(edit.square));
  if (edit.kind === 'move') {
    const piece = before.remove(at(edit.from))!;
    before.put(piece, at(edit.to));
  }
  if (edit.kind === 'add')
    before.put({ type: LETTERS[edit.piece].toLowerCase() as 'p', color: edit.piece < 8 ? 'w' : 'b' }, at(edit.square));
  if (found.misses.length === 0) expect(pieces(after)).toBe(pieces(before));
  else expect(pieces(after)).not.toBe(pieces(before));
  // The board that is reported is the board that chess.js has.
  const letters = [...found.board].map((code) => LETTERS[code]);
  for (const [i, name] of SQUARES.entries()) {
    const piece = after.get(name as Square);
    expect(letters[i]).toBe(!piece ? '.' : piece.color === 'w' ? piece.type.toUpperCase() : piece.type);
  }
  expect(found.legal).toBe(true);
  expect(found.description).toContain(found.misses.length === 0 ? 'The board is the one you asked for' : 'No prefix');
  expect(found.misses.length === 0 || edit.kind === 'add').toBe(true);
});

test('the shortest changes: one ply played otherwise, four plies put in', async () => {
  const moved = await altered(ruy, { kind: 'move', from: square('b5'), to: square('c4') });
  expect(moved).toMatchObject({ at: 4, removed: 1, inserted: 1, uci: ruy.replace('f1b5', 'f1c4'), misses: [] });
  expect(moved.differences).toEqual([
    { square: square('c4'), was: 0, is: 3 },
    { square: square('b5'), was: 3, is: 0 },
  ]);
  const removed = await altered(ruy, { kind: 'remove', square: square('c6') });
  expect(removed.inserted - removed.removed).toBe(4);
  expect(removed.differences).toEqual([{ square: square('c6'), was: 10, is: 0 }]);
});

test('a change that no legal prefix makes is refused with its reason', async () => {
  expect(await failure(ruy, { kind: 'remove', square: square('e1') })).toBe('king');
  expect(await failure(ruy, { kind: 'remove', square: square('a3') })).toBe('no-piece');
  expect(await failure(ruy, { kind: 'move', from: square('a1'), to: square('a2') })).toBe('square-taken');
  expect(await failure(ruy, { kind: 'move', from: square('a2'), to: square('a8') })).toBe('square-taken');
  expect(await failure(ruy, { kind: 'move', from: square('a2'), to: square('f1') })).toBe('no-place');
  expect(await failure(ruy, { kind: 'add', square: square('a3'), piece: 2 })).toBe('nothing-taken');
  // White is to move: Black's king cannot stand where the bishop sees it.
  expect(await failure(ruy, { kind: 'move', from: square('e8'), to: square('a6') })).toBe('impossible-position');
  expect(await failure('e2e4 f7f6', { kind: 'move', from: square('d1'), to: square('h5') })).toBe(
    'impossible-position',
  );
  // A pawn never goes back.
  expect(await failure(ruy, { kind: 'move', from: square('a2'), to: square('h5') }, { budget: 20_000 })).toBe(
    'not-found',
  );
  expect(await failure(ruy, { kind: 'remove', square: square('c6') }, { cancelled: () => true })).toBe('cancelled');
});

test('another ending: legal, as long, drawn by the seed, elsewhere', async () => {
  const found = await altered(ruy, { kind: 'instead', plies: 3 }, { seed: 4 });
  expect(found.uci.startsWith('e2e4 e7e5 g1f3 b8c6 f1b5')).toBe(true);
  expect(found.uci.split(' ')).toHaveLength(8);
  expect(pieces(referee(found.uci))).not.toBe(pieces(referee(ruy)));
  expect(await altered(ruy, { kind: 'instead', plies: 3 }, { seed: 4 })).toEqual(found);
  expect(await altered(ruy, { kind: 'instead', plies: 3 }, { seed: 5 })).not.toEqual(found);
  const line = [...unwrap(chess.traces.parse(ruy.replace('d2d3 f8c5', 'e1g1')))].slice(6);
  const given = await altered(ruy, { kind: 'instead', plies: 2, line });
  expect(given.uci).toBe(ruy.replace('d2d3 f8c5', 'e1g1'));
  expect(given.description).toContain('The other side is to move');
  expect(await failure(ruy, { kind: 'instead', plies: 1, line })).toBe('illegal-move');
  expect(await failure(ruy, { kind: 'instead', plies: 9 })).toBe('too-short');
});

test('tokens may say what the rules forbid, if asked', async () => {
  const removed = await altered(ruy, { kind: 'remove', square: square('d8') }, { legality: 'tokens' });
  expect(removed).toMatchObject({ legal: false, misses: [], inserted: 4 });
  expect(removed.differences).toEqual([{ square: square('d8'), was: 13, is: 0 }]);
  expect(() => referee(removed.uci)).toThrow();
  const moved = await altered(ruy, { kind: 'move', from: square('a1'), to: square('e6') }, { legality: 'tokens' });
  expect(moved).toMatchObject({ legal: false, misses: [] });
  expect(moved.differences).toHaveLength(2);
  expect(await failure(trade, { kind: 'add', square: square('h4'), piece: 1 }, { legality: 'tokens' })).toBe(
    'tokens-cannot-add',
  );
});

test('a king put elsewhere by tokens never castles on its way', async () => {
  // With f8, g8 and d8 empty, the way to d8 would lead over f8.
  const prefix = 'e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 d2d3 d8e7';
  const { board } = unwrap(parsePrompt(prefix)).position;
  for (const king of ['e1', 'e8'])
    for (let to = 0; to < 64; to++) {
      if (board[to] !== 0) continue;
      const moved = await altered(prefix, { kind: 'move', from: square(king), to }, { legality: 'tokens' });
      expect([to, moved.misses]).toEqual([to, []]);
    }
});

test('a question about a square that is empty in one prefix is refused', async () => {
  const ap = unwrap(chess.notation('ap'));
  const asked = unwrap(parsePrompt('e2e4 e7e5 g1'));
  const other = unwrap(parsePrompt('g1f3 e7e5'));
  const found = await comparePrompts(fakeEngine(ap, byTheRules), ap, asked, { ...other, query: asked.query });
  expect(found).toMatchObject({ ok: false, error: { code: 'no-piece' } });
});

test('two prompts compared: what became possible and impossible, and how far apart the answers are', async () => {
  const notation = unwrap(chess.notation('rap:15'));
  const engine = fakeEngine(notation, byTheRules);
  const compare = async (a: string, b: string) =>
    unwrap(await comparePrompts(engine, notation, unwrap(parsePrompt(a)), unwrap(parsePrompt(b))));
  // From g1 the knight goes to f3 and h3; after e2e3 to e2 as well.
  const { tokens, divergence } = await compare('a2a3 a7a6 g1', 'e2e3 a7a6 g1');
  expect(tokens[0]).toMatchObject({ token: 'e2', first: 0 });
  expect(tokens[0].difference).toBeCloseTo(1 / 3, 6);
  expect(tokens.slice(1, 3).map(({ token }) => token)).toEqual(['f3', 'h3']);
  expect(tokens[1].difference).toBeCloseTo(-1 / 6, 6);
  expect(tokens.some(({ token }) => token === 'N')).toBe(false);
  // Entropy of the mixture (5/12, 5/12, 1/6) less the mean of log2(2) and log2(3).
  const mixture = -2 * (5 / 12) * Math.log2(5 / 12) - (1 / 6) * Math.log2(1 / 6);
  expect(divergence).toBeCloseTo(mixture - (1 + Math.log2(3)) / 2, 6);
  expect((await compare('e2e4 e7e5 g1f3 b8c6', 'g1f3 b8c6 e2e4 e7e5')).divergence).toBe(0);
  expect(divergenceInBits([1, 0], [0, 1])).toBe(1);
});
