import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import type { ModelTurn } from '../../studies/play/model-turn.ts';
import { cutAt, eventsOf, moveRows, playable, statesOf, turnCounts, undone, type Game } from './game.ts';

const chess = playable('chess')!;
const events = (line: string): Uint16Array => unwrap(chess.play.read(line));

/** A model's turn that chose this, legal or not. */
function turn(event: number, illegal: string | null): ModelTurn {
  const legal = { text: 'x', event, ended: false, why: null, probability: 0.5 };
  const choice =
    illegal === null ? legal : { text: illegal, event: null, ended: false, why: 'no way', probability: 0.6 };
  return { choices: [choice], choice, played: legal };
}

/** White is a person, Black a model that chose two illegal moves in three. */
function game(): Game {
  const opening = events('e2e4 e7e5');
  const all = events('e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6');
  const choices = [null, 'Nf3-e6', null, null, null, 'Qd8-a1'];
  const plies = [...all.slice(2)].map((event, i) => ({ event, turn: i % 2 === 0 ? null : turn(event, choices[i]) }));
  plies[1].turn = turn(all[3], 'Nb8-e6');
  return { domain: chess, opening, plies };
}

test('only illegal choices of models are counted, by side', () => {
  expect(turnCounts(game()).illegal).toEqual([0, 2]);
  const ends = game();
  const last = ends.plies[5];
  const resigning = { ...last.turn!, choice: { ...last.turn!.choice, event: null, ended: true, why: null } };
  expect(turnCounts({ ...ends, plies: [...ends.plies.slice(0, 5), { ...last, turn: resigning }] }).illegal).toEqual([
    0, 1,
  ]);
});

test('undo takes back until the person is to move, and never the opening', () => {
  const person = (side: 0 | 1) => side === 0;
  const once = undone(game(), person);
  expect(once.plies).toHaveLength(4);
  expect(undone({ ...game(), plies: game().plies.slice(0, 5) }, person).plies).toHaveLength(4);
  expect(undone(undone(once, person), person).plies).toHaveLength(0);
  expect(undone({ ...game(), plies: [] }, person).plies).toHaveLength(0);
  expect(undone(game(), () => false).plies).toHaveLength(5);
  expect(turnCounts(once).illegal).toEqual([0, 1]);
});

test('the list has both sides in a line, illegal choices beside what was played', () => {
  const rows = moveRows(game());
  expect(rows.map(({ number, moves }) => [number, ...moves.map((move) => move?.text)])).toEqual([
    [1, 'e4', 'e5'],
    [2, 'Nf3', 'Nc6'],
    [3, 'Bc4', 'Bc5'],
    [4, 'O-O', 'Nf6'],
  ]);
  expect(rows[1].moves[1]).toMatchObject({ at: 4, chosen: 'Nb8-e6' });
  expect(rows[0].moves.every((move) => move?.chosen === null)).toBe(true);
});

test('a game is cut at a ply and goes on from there', () => {
  expect(eventsOf(cutAt(game(), 5))).toEqual(events('e2e4 e7e5 g1f3 b8c6 f1c4'));
  expect(eventsOf(cutAt(game(), 1))).toEqual(events('e2e4'));
  expect(eventsOf(cutAt(game(), 0))).toHaveLength(0);
});

test('ends of games are found at the state after the last move', () => {
  const mate: Game = { domain: chess, opening: events('f2f3 e7e5 g2g4 d8h4'), plies: [] };
  expect(chess.play.ending(statesOf(mate).at(-1))).toEqual({ text: 'Black wins by checkmate', winner: 1 });
  const open = game();
  expect(chess.play.ending(statesOf(open).at(-1))).toBeNull();
});

test('chess and noughts are played, baseball is not', () => {
  expect(playable('noughts')?.play.sides).toEqual(['X', 'O']);
  expect(playable('baseball')).toBeNull();
});
