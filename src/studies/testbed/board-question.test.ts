import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { fromSquare } from '../../domains/chess/rules/move.ts';
import { BISHOP, kindOf, ROOK } from '../../domains/chess/rules/pieces.ts';
import { Position } from '../../domains/chess/rules/position.ts';
import { parsePrompt } from '../../domains/chess/prompt.ts';
import { boardQuestion } from './board-question.ts';
import { endingsAlone } from './error-taxonomy.ts';

test('the question is about a piece that moved, has squares to go to, and more that others close to it', () => {
  const { prompt, note } = boardQuestion();
  const { query, position, moves, canonical } = unwrap(parsePrompt(prompt));
  expect(canonical).toBe(prompt);
  if (query.kind !== 'end') throw new Error(`${prompt} asks for no destination`);
  const kind = kindOf(position.pieceAt(query.from));
  expect([BISHOP, ROOK]).toContain(kind);
  expect(position.pieceAt(query.from)).not.toBe(Position.initial().pieceAt(query.from));
  const open = position.legalMoves().filter((move) => fromSquare(move) === query.from).length;
  const closed = endingsAlone(kind, query.from).length - open;
  expect(open).toBeGreaterThanOrEqual(2);
  expect(closed).toBeGreaterThan(open);
  expect(note).toBe(
    `After ${moves.length} random moves, it can go to ${open} squares. Other pieces keep it from ${closed} more.`,
  );
});
