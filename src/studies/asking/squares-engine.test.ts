import { expect, it } from 'vitest';
import { batchOf, type Batch } from '../../base/batch.ts';
import { unwrap } from '../../base/result.ts';
import { uciOf } from '../../domains/chess/formats/uci.ts';
import { coverage, moveTokens, POSSIBLE_MOVES } from '../../domains/chess/notation/move-tokens.ts';
import { chess } from '../../domains/chess/chess.ts';
import { replay } from '../../domains/chess/replay.ts';
import type { Engine } from '../../engine/engine.ts';
import { squaresEngine } from './squares-engine.ts';

const squares = unwrap(chess.notation('moves'));
const id = (token: string): number => squares.vocabulary.id(token)!;
const plain = ['[PAD]', '[BOS]', '[EOS]', '[UNK]', ...POSSIBLE_MOVES.map(uciOf)];
const rowOf = (line: string): number[] => squares.encode(unwrap(replay(line)), { random: null, closed: false });

/** A model over a vocabulary with the same probabilities after every prefix, by their spelling; and what it was asked. */
function answering(tokens: readonly string[], shares: Record<string, number>) {
  const asked: string[][] = [];
  const root = Float32Array.from(tokens, (token) => Math.log(shares[token] ?? 0));
  const inner = {
    model: { vocabulary: tokens.length, context: 16, slots: null },
    leafLogits: async (prefixes: readonly (readonly number[])[]) => {
      asked.push(...prefixes.map((prefix) => prefix.map((token) => tokens[token])));
      return prefixes.map(() => ({ root, leaves: [] }));
    },
    targetLogits: async ({ tokens: written, offsets }: Batch, see: (place: number, logits: Float32Array) => void) => {
      offsets.subarray(1).forEach((end, row) => {
        asked.push(Array.from(written.subarray(offsets[row], end), (token) => tokens[token]));
        for (let place = offsets[row]; place + 1 < end; place++) see(place, root);
      });
    },
  } as unknown as Engine;
  return { asked, engine: squaresEngine(inner, moveTokens(tokens)!) };
}
const share = (logits: Float32Array, token: string): number => Math.exp(logits[id(token)]);

it('sums the probability of moves over the squares where they begin and end', async () => {
  const shares = { e2e4: 0.4, e2e3: 0.1, g1f3: 0.2, e7e8q: 0.1, '[EOS]': 0.15, '[UNK]': 0.05 };
  const { asked, engine } = answering(plain, shares);
  const [{ root, leaves }] = await engine.leafLogits([rowOf('d2d4 d7d5')], [[id('e2'), id('g1')]]);
  expect(asked).toEqual([['[BOS]', 'd2d4', 'd7d5']]);
  expect([share(root, 'e2'), share(root, 'g1'), share(root, '</s>'), share(root, 'P')]).toEqual([
    ...[expect.closeTo(0.5, 6), expect.closeTo(0.2, 6), expect.closeTo(0.15, 6), expect.closeTo(0, 9)],
  ]);
  expect([share(leaves[0], 'e4'), share(leaves[0], 'e3'), share(leaves[0], 'f3')]).toEqual([
    ...[expect.closeTo(0.4, 6), expect.closeTo(0.1, 6), expect.closeTo(0, 9)],
  ]);
  expect(share(leaves[1], 'f3')).toBeCloseTo(0.2, 6);
  // The context holds a begin token and 15 moves.
  expect(engine.model).toMatchObject({ vocabulary: 77, context: 31 });
});

it('gives a game the probabilities of its moves, that of an unknown token where a move has none', async () => {
  const shares = { e2e4: 0.4, e2e3: 0.1, e7e5: 0.2, a2a3: 0.15, '[EOS]': 0.1, '[UNK]': 0.05 };
  const tokens = plain.filter((token) => token !== 'g1f3');
  const { asked, engine } = answering(tokens, shares);
  const tokenIds = [...rowOf('e2e4 e7e5 g1f3'), id('</s>')];
  const logs = Array.from(await engine.logProbabilities(batchOf([tokenIds, tokenIds.slice(0, 3)]), []), Math.exp);
  const move = [0.5, 0.8].map((value) => expect.closeTo(value, 6));
  expect(logs).toEqual([
    ...[...move, ...[0.2, 1, 0.05, 1, 0.1, 1].map((value) => expect.closeTo(value, 6))],
    ...[...move, 1],
  ]);
  // One pass for all: each game's own moves, and a token behind them.
  expect(asked).toEqual([
    ['[BOS]', 'e2e4', 'e7e5', '[UNK]', '[BOS]'],
    ['[BOS]', '[BOS]'],
  ]);
  const none = answering(
    tokens.map((token) => token.replace('[UNK]', 'x')),
    shares,
  );
  await expect(none.engine.leafLogits([rowOf('g1f3')], [[]])).rejects.toThrow('no token of the model');
});

it('asks what a pawn becomes, and writes on after it', async () => {
  const line = 'b2b4 a7a5 b4a5 b7b6 a5b6 g8f6 b6b7 f6g8';
  const { asked, engine } = answering(plain, { b7a8q: 0.3, b7a8n: 0.1, h7h5: 0.6 });
  const before = [...rowOf(line), id('b7')];
  const [{ root, leaves }] = await engine.leafLogits([[...before, id('a8')]], [[id('n')]]);
  expect([share(root, 'q'), share(root, 'n')]).toEqual([expect.closeTo(0.3, 6), expect.closeTo(0.1, 6)]);
  expect(share(leaves[0], 'h7')).toBeCloseTo(0.6, 6);
  expect(asked.at(-1)!.at(-1)).toBe('b7a8n');
  const writing = engine.continue(before);
  writing.advance(id('a8'));
  expect(share(await writing.logits(), 'q')).toBeCloseTo(0.3, 6);
});

it('reads tokens that name side, piece and what a move does, and asks by a piece’s letter', async () => {
  const marks = ['WQh5f7(x)(+*)', 'WQh5f7(x)(+)', 'WQh5f7', 'WKe1g1(o)', 'WKe1g1'];
  const named = ['P', 'N', 'Q', 'K', 'B'].flatMap((piece) =>
    ['W', 'B'].flatMap((side) =>
      POSSIBLE_MOVES.filter((move) => move < 4096 && uciOf(move) !== 'h5f7').map((move) => side + piece + uciOf(move)),
    ),
  );
  const tokens = ['[BOS]', '[EOS]', ...named, ...marks];
  const shares = { WNg1f3: 0.5, WPe2e4: 0.2, WNb1c3: 0.1, BPe7e5: 0.2 };
  const { asked, engine } = answering(tokens, shares);
  const mate = rowOf('e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7');
  await engine.leafLogits([mate], [[]]);
  expect(asked.at(-1)!.slice(1)).toEqual([
    ...['WPe2e4', 'BPe7e5', 'WQd1h5', 'BNb8c6', 'WBf1c4', 'BNg8f6', 'WQh5f7(x)(+*)'],
  ]);
  await engine.leafLogits([rowOf('e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1')], [[]]);
  expect(asked.at(-1)!.at(-1)).toBe('WKe1g1(o)');
  const [{ leaves }] = await engine.leafLogits([[id('<s>')]], [[id('N')]]);
  expect([share(leaves[0], 'g1'), share(leaves[0], 'b1'), share(leaves[0], 'e2')]).toEqual([
    ...[expect.closeTo(0.5, 6), expect.closeTo(0.1, 6), expect.closeTo(0, 9)],
  ]);
  expect(moveTokens(tokens)!.named).toBe(true);
});

it('knows vocabularies of moves from others, and what they lack', () => {
  expect(moveTokens(['<s>', ...squares.vocabulary.tokens])).toBeNull();
  expect(moveTokens(plain.filter((token) => !token.startsWith('[')))).toBeNull();
  expect(POSSIBLE_MOVES).toHaveLength(1968);
  const found = moveTokens(plain.filter((token) => token !== 'e2e4' && token !== 'a7a8q'))!;
  expect(coverage(found)).toEqual({ matched: 1966, missing: ['e2e4', 'a7a8q'] });
});
