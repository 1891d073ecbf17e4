import { fail, ok, type Result } from '../../../base/result.ts';
import { textLines, type ByteStream } from '../../../base/streams.ts';
import type { GoalMode } from './question.ts';
import { parseQuestion, type Questions } from './questions.ts';

/** Lines of one kind, and those whose answer the symbolic program gives too. */
export interface Agreement {
  n: number;
  agree: number;
}

export interface CheckReport {
  /** By name of the question; the paper's three are there whether or not a line asks them. */
  questions: Record<'assignment' | 'winning' | 'goal', Agreement> & Record<string, Agreement>;
}

/**
 * Replays every question line of a text and compares its answer with the symbolic program's. An answer that differs is
 * counted; a line that cannot be read as a question (or breaks the rules) is a failure with file and line, and ends it.
 * Lines may be of any game of the lab, or of the `games` given (`questionsFor` makes those with custom questions).
 */
export async function checkQuestions(
  stream: ByteStream,
  name: string,
  { mode, onLine, games }: { mode: GoalMode; onLine?: (line: number) => void; games?: readonly Questions[] },
): Promise<Result<CheckReport>> {
  const none = (): Agreement => ({ n: 0, agree: 0 });
  const questions: CheckReport['questions'] = { assignment: none(), winning: none(), goal: none() };
  let found = false;
  for await (const { text, line } of textLines(stream, name)) {
    if (text.trim() === '') continue;
    found = true;
    const parsed = parseQuestion(text, games);
    if (!parsed.ok) {
      const { code, message, where } = parsed.error;
      return fail(code, `${name}, line ${line}: ${message}`, { ...where, file: name, line });
    }
    const counted = (questions[parsed.value.line.form] ??= none());
    counted.n++;
    if (parsed.value.questions.agrees(parsed.value.line, mode)) counted.agree++;
    onLine?.(line);
  }
  if (!found)
    return fail('no-questions', `${name}: there are no question lines in it; check the file.`, { file: name });
  return ok({ questions });
}
