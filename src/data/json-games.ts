import { Budget } from '../base/budget.ts';
import { jsonValue } from '../base/json.ts';
import { fail, type Result } from '../base/result.ts';
import type { TraceFormat } from '../domains/domain.ts';
import { RETROSHEET_NOTICE } from './baseball/notice.ts';
import { fileKindsOf } from './file-kinds.ts';
import { metaOf, recordOf, type GameRecord } from './game-record.ts';

/**
 * Games as JSON Lines: {"moves": "e2e4 e7e5 ..."} or {"moves": ["e2e4", ...]}, or the same under "tokens" (as "baseball
 * trace" prints), other fields what is known of the game.
 */
export async function* readJsonLines(
  lines: AsyncIterable<{ text: string; line: number }>,
  file: string,
  format: TraceFormat,
  domain = 'chess',
  budget = new Budget(file),
): AsyncGenerator<Result<GameRecord>> {
  for await (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const read = budget.work(() => jsonValue(text, budget), file);
    await budget.breathe();
    const fields = read.ok ? objectOf(read.value) : null;
    const moves = fields === null ? null : movesOf(fields.moves ?? fields.tokens);
    if (fields === null || moves === null) {
      const { field, example } = fileKindsOf(domain).json;
      const wrong = !read.ok
        ? read.error.message
        : fields === null
          ? 'this is not a JSON object'
          : `there is no field "${field}"`;
      const message = `${file}, line ${line}: ${wrong}; write a game a line as {"${field}": "${example}"}.`;
      yield fail('not-a-game', message, { file, line });
      continue;
    }
    const record = recordOf(format.parse(moves), metaOf(fields), file, line);
    if (record.ok && fields.source === 'retrosheet') record.value.notice = RETROSHEET_NOTICE;
    yield record;
  }
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

function movesOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((move) => typeof move === 'string') ? value.join(' ') : null;
}
