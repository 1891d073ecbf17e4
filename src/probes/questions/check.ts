import { fail, ok, type Result } from '../../base/result.ts';
import { textLines, type ByteStream } from '../../base/streams.ts';
import type { GoalMode } from './question.ts';
import { parseQuestion } from './questions.ts';

/** Lines of one kind, and those whose answer the symbolic program gives too. */
export interface Agreement {
  n: number;
  agree: number;
}

export interface CheckReport {
  questions: Record<'assignment' | 'winning' | 'goal', Agreement>;
}

/**
 * Replays every question line of a text and compares its answer with the symbolic program's. An answer that differs is
 * counted; a line that cannot be read as a question (or breaks the rules) is a failure with file and line, and ends it.
 */
export async function checkQuestions(
  stream: ByteStream,
  name: string,
  { mode, onLine }: { mode: GoalMode; onLine?: (line: number) => void },
): Promise<Result<CheckReport>> {
  const none = (): Agreement => ({ n: 0, agree: 0 });
  const questions: CheckReport['questions'] = { assignment: none(), winning: none(), goal: none() };
  let found = false;
  for await (const { text, line } of textLines(stream, name)) {
    if (text.trim() === '') continue;
    found = true;
    const parsed = parseQuestion(text);
    if (!parsed.ok) {
      const { code, message, where } = parsed.error;
      return fail(code, `${name}, line ${line}: ${message}`, { ...where, file: name, line });
    }
    const counted = questions[parsed.value.line.form as keyof CheckReport['questions']];
    counted.n++;
    if (parsed.value.questions.agrees(parsed.value.line, mode)) counted.agree++;
    onLine?.(line);
  }
  if (!found)
    return fail('no-questions', `${name}: there are no question lines in it; check the file.`, { file: name });
  return ok({ questions });
}
