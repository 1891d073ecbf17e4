import { expect, test } from 'vitest';
import { Chess } from 'chess.js';
import { unwrap } from '../../base/result.ts';
import { noughts } from '../noughts/noughts.ts';
import { fenOf, INITIAL_FEN, parseFen } from './formats/fen.ts';
import { chessPlay } from './play.ts';
import { positionAfter, uciLine } from './replay.ts';

const endingOf = (text: string) => chessPlay.ending(positionAfter(unwrap(chessPlay.read(text))));

test('ends of games, as chess.js has them', () => {
  const games: [line: string, words: string | null, winner: 0 | 1 | null | undefined][] = [
    ['f2f3 e7e5 g2g4 d8h4', 'Black wins by checkmate', 1],
    ['e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7', 'White wins by checkmate', 0],
    ['g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8', 'draw by threefold repetition', null],
    ['g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1', null, undefined],
    [
      'e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6',
      'draw by stalemate',
      null,
    ],
    [`${'g1f3 g8f6 '.trim()}`, null, undefined],
  ];
  for (const [line, expected, winner] of games) {
    const referee = new Chess();
    for (const move of line.split(' ')) referee.move(move);
    const ending = endingOf(line);
    expect(ending?.text ?? null).toBe(expected);
    expect(ending?.winner).toBe(winner);
    expect(referee.isGameOver()).toBe(expected !== null);
  }
});

test('draws by material and by the fifty-move rule', () => {
  for (const [fen, expected] of [
    ['8/8/4k3/8/8/4K3/8/8 w - - 0 60', 'draw by insufficient material'],
    ['8/8/4k3/8/8/4KB2/8/8 w - - 0 60', 'draw by insufficient material'],
    ['8/8/4k3/8/8/4K3/4R3/8 w - - 100 90', 'draw by the fifty-move rule'],
    ['8/8/4k3/8/8/4K3/4R3/8 w - - 99 90', null],
  ] as const) {
    expect(chessPlay.ending(unwrap(parseFen(fen)))?.text ?? null).toBe(expected);
    expect(new Chess(fen).isDraw()).toBe(expected !== null);
  }
});

test('a position of FEN becomes a game that leads to it', () => {
  expect(unwrap(chessPlay.read(INITIAL_FEN))).toHaveLength(0);
  for (const line of [
    'e2e4',
    'e2e4 e7e5 g1f3 b8c6 f1b5',
    'd2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8',
    'e2e4 d7d5 e4d5 d8d5 b1c3',
  ]) {
    const fen = fenOf(positionAfter(unwrap(chessPlay.read(line))));
    const found = positionAfter(unwrap(chessPlay.read(fen)));
    expect(fenOf(found).split(' ').slice(0, 4)).toEqual(fen.split(' ').slice(0, 4));
  }
  expect(chessPlay.read('8/8/8/8/8/8/8/8 w - - 0 1')).toMatchObject({ error: { code: 'bad-fen' } });
  expect(chessPlay.read('4k3/8/8/8/8/8/8/4K2R w K - 0 60')).toMatchObject({ error: { code: 'no-line' } });
  expect(chessPlay.read('e2e4 e7')).toMatchObject({ error: { code: 'half-a-move' } });
});

test('a PGN that chess.js reads back as the same game', () => {
  const line = 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d4 e5d4 e4e5 d7d5';
  const pgn = chessPlay.file!(unwrap(chessPlay.read(line)), { names: ['You', 'a "model"'], winner: undefined });
  const referee = new Chess();
  referee.loadPgn(pgn);
  expect(
    referee
      .history({ verbose: true })
      .map(({ lan }) => lan)
      .join(' '),
  ).toBe(line);
  expect(uciLine(unwrap(chessPlay.read(pgn)))).toBe(line);
  expect(pgn).toContain('1. e4 e5 2. Nf3');
});

test('a forbidden move is written as players would, with both squares', () => {
  const start = positionAfter([]);
  expect(chessPlay.forbidden!(start, ['g1', 'e6'])).toBe('Ng1-e6');
  expect(chessPlay.forbidden!(start, ['e2', 'd3'])).toBe('e2-d3');
  expect(chessPlay.forbidden!(start, ['q'])).toBe('q');
});

test('noughts has sides, turns and an end', () => {
  const { play } = noughts;
  const after = (line: string) =>
    unwrap(play!.read(line)).reduce((state, event) => noughts.apply(state, event), noughts.initial());
  expect(play!.toMove(after('a1'))).toBe(1);
  expect(play!.ending(after('a1 b1 a2 b2 a3'))).toEqual({ text: 'X wins', winner: 0 });
  expect(play!.ending(after('a1 b1 a2'))).toBeNull();
  expect(play!.read('a1 a1')).toMatchObject({ ok: false });
});
