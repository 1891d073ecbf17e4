import { fail, type Failure, type Result } from '../base/result.ts';
import type { TraceFormat } from '../domains/domain.ts';
import { DOMAINS, type AnyDomain } from '../domains/domains.ts';
import { OTHER_GAME } from './game-record.ts';

/** Lines that are tried as another game's while none was this one's; a file of that many bad games is just that. */
const TRIED = 20;

/** The game that a line of text is a trace of, `wanted` left aside; null where it is none. */
export function otherGameOf(line: string, wanted: string): AnyDomain | null {
  const reads = ({ name, traces }: AnyDomain): boolean => {
    if (name === wanted) return false;
    const trace = traces.parse(line);
    return trace.ok && trace.value.length > 0;
  };
  return DOMAINS.find(reads) ?? null;
}

/** The one failure of a file that holds another game than wanted. */
export function otherGame(file: string, other: AnyDomain): { ok: false; error: Failure } {
  const message = `${file}: this holds games of ${other.title.toLowerCase()}; choose ${other.title} first.`;
  return fail(OTHER_GAME, message, { file });
}

/** Whether a result is the failure that `otherGame` makes: the file is of another game, and reading it can end. */
export function isOtherGame(result: Result<unknown>): boolean {
  return !result.ok && result.error.code === OTHER_GAME;
}

/**
 * A domain's text, watched for another game's: until a first line is read, lines that cannot be are tried as every other
 * game's, and one that is fails with `other-game`.
 */
export function watched(wanted: { name: string; traces: TraceFormat }, file: string): TraceFormat {
  let tries = 0;
  return {
    format: wanted.traces.format,
    parse: (line) => {
      const trace = wanted.traces.parse(line);
      if (trace.ok) tries = TRIED;
      if (trace.ok || tries++ >= TRIED) return trace;
      const other = otherGameOf(line, wanted.name);
      return other === null ? trace : otherGame(file, other);
    },
  };
}
