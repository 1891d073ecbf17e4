import { Budget } from '../base/budget.ts';
import { fail, type Failure, type Result } from '../base/result.ts';
import { parsePgnGame } from '../domains/chess/formats/pgn.ts';
import { metaOf, recordOf, type GameRecord } from './game-record.ts';

/** Longest text of one game; annotated games of books stay far below it. */
const LONGEST_GAME = 4_000_000;

const RESULT_AT_END = /(?:1-0|0-1|1\/2-1\/2|\*)\s*$/;

/**
 * Games of a PGN file of any length, one in memory at a time. A game ends before the next header, or at an empty
 * line after its result where headers are missing. A game that cannot be read is a failure with its line and ply,
 * and reading goes on with the next; an unclosed comment ends at the next `[Event`.
 */
export async function* readPgn(
  lines: AsyncIterable<{ text: string; line: number }>,
  file: string,
  budget = new Budget(file),
): AsyncGenerator<Result<GameRecord>> {
  let piece: string[] = [];
  let start = 0;
  let size = 0;
  let inMoves = false;
  let inComment = false;

  const finish = (): Result<GameRecord> => {
    const text = size > LONGEST_GAME ? null : piece.join('\n');
    piece = [];
    size = 0;
    inMoves = inComment = false;
    if (text !== null) return budget.work(() => gameOf(text, file, start), file);
    const message = `${file}, line ${start}: the game is longer than four million characters; check that this is a PGN file.`;
    return fail('game-too-long', message, { file, line: start });
  };

  for await (const { text, line } of lines) {
    await budget.breathe();
    const blank = text.trim() === '';
    if (text.startsWith('[Event ') ? piece.length > 0 : inMoves && !inComment && text.startsWith('[')) yield finish();
    else if (blank && inMoves && !inComment && RESULT_AT_END.test(piece[piece.length - 1])) yield finish();
    if (piece.length === 0) {
      if (blank) continue;
      start = line;
    }
    size += text.length + 1;
    // Blank lines stay, so that a failure's line can be counted within the piece.
    if (size <= LONGEST_GAME) piece.push(text);
    if (blank || (text.startsWith('[') && !inMoves) || text.startsWith('%')) continue;
    inMoves = true;
    inComment = commentOpenAfter(text, inComment);
  }
  if (piece.length) yield finish();
}

function gameOf(text: string, file: string, start: number): Result<GameRecord> {
  const game = parsePgnGame(text);
  if (!game.ok) return { ok: false, error: inFile(game.error, file, start) };
  const { tags, moves, result } = game.value;
  const fields = Object.fromEntries(tags);
  return recordOf({ ok: true, value: moves }, metaOf({ ...fields, Result: result ?? fields.Result }), file, start);
}

/** A failure with lines counted in the file instead of in the game's own text. */
function inFile({ code, message, where }: Failure, file: string, start: number): Failure {
  const line = start + (where?.line ?? 1) - 1;
  const text = message.replace(/\bon line \d+/, `on line ${line}`);
  return { code, message: `${file}, line ${line}: ${text}`, where: { ...where, file, line } };
}

/** Whether a brace comment is open after a line of movetext. */
function commentOpenAfter(text: string, open: boolean): boolean {
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (open) open = character !== '}';
    else if (character === '{') open = true;
    else if (character === ';') return false;
  }
  return open;
}
