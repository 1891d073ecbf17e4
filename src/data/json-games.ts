import { fail, type Result } from '../base/result.ts';
import type { TraceFormat } from '../domains/domain.ts';
import { metaOf, recordOf, type GameRecord } from './game-record.ts';

/** Games as JSON Lines: {"moves": "e2e4 e7e5 ..."} or {"moves": ["e2e4", ...]}, other fields what is known of the game. */
export async function* readJsonLines(
  lines: AsyncIterable<{ text: string; line: number }>,
  file: string,
  format: TraceFormat,
): AsyncGenerator<Result<GameRecord>> {
  for await (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const fields = objectOf(text);
    const moves = fields === null ? null : movesOf(fields.moves);
    if (fields === null || moves === null) {
      const wrong = fields === null ? 'this is not a JSON object' : 'there is no field "moves"';
      const message = `${file}, line ${line}: ${wrong}; write a game a line as {"moves": "e2e4 e7e5"}.`;
      yield fail('not-a-game', message, { file, line });
    } else yield recordOf(format.parse(moves), metaOf(fields), file, line);
  }
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function movesOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((move) => typeof move === 'string') ? value.join(' ') : null;
}
