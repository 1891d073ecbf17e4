import type { Budget } from '../../base/budget.ts';
import { fail, type Result } from '../../base/result.ts';
import { baseball } from '../../domains/baseball/baseball.ts';
import { recordOf, type GameRecord } from '../game-record.ts';
import { RETROSHEET_NOTICE } from './notice.ts';
import { playByPlayOf } from './sources.ts';

/**
 * The games of one file of play-by-play as records to train on: each written in verbs and read back under the rules. A
 * game that contradicts itself so far that its verbs are not legal is a failure with the line at which it begins.
 */
export function* readPlayByPlay(bytes: Uint8Array, file: string, budget: Budget): Generator<Result<GameRecord>> {
  const games = playByPlayOf(bytes, file, budget);
  if (games === null) {
    yield fail('unknown-kind', `${file}: this does not look like play-by-play.`, { file });
    return;
  }
  for (const read of games) {
    // A file with one game in it is one game, and the next file is read.
    if (!read.ok) {
      yield { ok: false, error: { ...read.error, where: { line: 1, ...read.error.where } } };
      continue;
    }
    const { game, line, source } = read.value;
    const parsed = baseball.traces.parse(game.tokens.join(' '));
    const trace = parsed.ok
      ? parsed
      : fail(parsed.error.code, `${game.id}: ${parsed.error.message}`, parsed.error.where);
    const record = recordOf(trace, {}, file, line);
    if (record.ok && source === 'retrosheet') record.value.notice = RETROSHEET_NOTICE;
    yield record;
  }
}
