import { fail, ok, type Result } from '../../base/result.ts';
import { explainIllegal } from './rules/explain.ts';
import { fromSquare, promotionOf, toSquare } from './rules/move.ts';
import { lineAt, readMovetext, type MovetextItem } from './formats/movetext.ts';
import { checkStart, readTags } from './formats/pgn.ts';
import { KIND_LETTERS, kindOf, SIDE_NAMES, type PieceLetter } from './rules/pieces.ts';
import { Position } from './rules/position.ts';
import { parseSan } from './formats/san.ts';
import { parseSquare, SQUARES } from './rules/squares.ts';
import { readUciMove, uciOf } from './formats/uci.ts';

export const LONGEST_PROMPT = 20_000;

/** What a prompt asks: the next token, where the piece on a square goes, or from where a piece of a kind starts. */
export type Query = { kind: 'next' } | { kind: 'end'; from: number } | { kind: 'start'; piece: PieceLetter };

export interface Prompt {
  moves: Uint16Array;
  uci: string[];
  /** The position after the moves. */
  position: Position;
  query: Query;
  /** The prompt in UCI: moves, then the start square or piece letter if one is asked about. */
  canonical: string;
}

/**
 * What a person types or pastes beside the board: UCI, SAN, a whole PGN, or a mixture, with the piece
 * letters of UCI+AP allowed ("Ng1f3", "N g1f3"). The last word may be a lone start square ("f1") or a lone
 * piece letter ("N"). A lone square is a question where a piece of the side to move stands on it, and else
 * a pawn's move: no position allows both readings.
 * Failures: `too-long`, `bad-pgn`, `pgn-setup`, `pgn-variant`, `not-a-move`, `illegal-move`,
 * `ambiguous-move`, `promotion-missing`; those of a move carry `where.ply`.
 */
export function parsePrompt(text: string): Result<Prompt> {
  if (text.length > LONGEST_PROMPT)
    return fail(
      'too-long',
      `The prompt has ${text.length} characters; at most ${LONGEST_PROMPT} are read. Take some games or comments out.`,
    );
  const header = readTags(text);
  if (!header.ok) return header;
  const setup = checkStart(header.value.tags);
  if (setup !== null) return setup;
  const movetext = readMovetext(text, header.value.end);
  if (!movetext.ok) return movetext;
  const items = joinPieceLetters(movetext.value.items);
  const position = Position.initial();
  const moves: number[] = [];
  let query: Query = { kind: 'next' };
  for (const [i, item] of items.entries()) {
    const last = i === items.length - 1;
    if (last && /^[PNBRQK]$/.test(item.text)) {
      query = { kind: 'start', piece: item.text as PieceLetter };
      break;
    }
    const from = last ? askedSquare(position, item.text) : -1;
    if (from >= 0) {
      query = { kind: 'end', from };
      break;
    }
    const move = readMove(position, item.text);
    if (!move.ok) {
      const ply = moves.length + 1;
      const said = `Ply ${ply}, ${SIDE_NAMES[position.turn]}'s ${item.text.slice(0, 20)}: ${move.error.message}.`;
      return fail(move.error.code, said, { line: lineAt(text, item.at), ply });
    }
    position.play(move.value);
    moves.push(move.value);
  }
  const uci = moves.map(uciOf);
  const asked = query.kind === 'end' ? [SQUARES[query.from]] : query.kind === 'start' ? [query.piece] : [];
  return ok({ moves: Uint16Array.from(moves), uci, position, query, canonical: [...uci, ...asked].join(' ') });
}

/** "N" followed by "g1f3" is one move; a letter at the very end stays alone. */
function joinPieceLetters(items: MovetextItem[]): MovetextItem[] {
  const joined: MovetextItem[] = [];
  for (let i = 0; i < items.length; i++) {
    const { text, at } = items[i];
    if (/^[PNBRQK]$/.test(text) && i + 1 < items.length) joined.push({ text: text + items[++i].text, at });
    else joined.push({ text, at });
  }
  return joined;
}

/** The start square that a last word asks about ("f1", or "Nf1" where that is no legal move), or -1. */
function askedSquare(position: Position, text: string): number {
  const parts = /^([PNBRQK]?)([a-h][1-8])$/.exec(text);
  const square = parts && parseSquare(parts[2]);
  if (!parts || !square?.ok) return -1;
  const code = position.pieceAt(square.value);
  if (code === 0 || code >> 3 !== position.turn) return -1;
  return parts[1] === '' || parts[1] === KIND_LETTERS[kindOf(code)] ? square.value : -1;
}

/** A legal move of UCI or SAN; the failure's message is a clause. */
function readMove(position: Position, text: string): Result<number> {
  const packed = readUciMove(text, 0, text.length);
  if (packed >= 0) {
    if (position.isLegal(packed)) return ok(packed);
    const { reason, why } = explainIllegal(position, fromSquare(packed), toSquare(packed), promotionOf(packed));
    return fail(reason === 'promotion' && promotionOf(packed) === 0 ? 'promotion-missing' : 'illegal-move', why);
  }
  const move = parseSan(position, text);
  if (move.ok) return move;
  const square = parseSquare(text);
  if (square.ok) {
    const code = position.pieceAt(square.value);
    if (code === 0) return fail('illegal-move', `${text} is empty, and no pawn may move there`);
    if (code >> 3 === position.turn)
      return fail('not-a-move', `only the last word may be a lone start square; say where the piece on ${text} goes`);
    return fail('illegal-move', explainIllegal(position, square.value, square.value).why);
  }
  if (move.error.code === 'not-san')
    return fail(
      'not-a-move',
      'this is no move; write moves as e2e4 or Nf3, and end with a start square (f1) or a piece letter (N) to ask about it',
    );
  return move;
}
