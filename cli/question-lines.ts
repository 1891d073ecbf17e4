import { fail, inputError } from '../src/base/result.ts';
import { textLines } from '../src/base/streams.ts';
import type { QuestionLine } from '../src/studies/splat/questions/question.ts';
import { DOMAIN_NAMES } from '../src/domains/domains.ts';
import { questionsFor, type Questions } from '../src/studies/splat/questions/questions.ts';
import { nameOf, openText } from './node-io.ts';

/**
 * The question lines of a file, read as questions of one game. The first that cannot be read ends it: InputError with
 * file, line and token. So does a line of another game, and a file without lines.
 */
export async function questionLines(path: string, questions: Questions): Promise<QuestionLine[]> {
  const file = nameOf(path);
  const lines: QuestionLine[] = [];
  for await (const { text, line } of textLines(openText(path), file)) {
    const tokens = text.split(/\s+/).filter((token) => token !== '');
    if (tokens.length === 0) continue;
    const read = otherGame(tokens, questions) ?? questions.read(tokens);
    if (read.ok) {
      lines.push(read.value);
      continue;
    }
    const { code, message } = read.error;
    throw inputError(code, `${file}, line ${line}: ${message}`);
  }
  if (lines.length > 0) return lines;
  const message = `${file}: there are no question lines in it; make some with "splat make-questions".`;
  throw inputError('no-questions', message);
}

/** What is wrong with a line that begins as one of another game does; null where it does not. */
function otherGame([, first = '']: readonly string[], questions: Questions): ReturnType<typeof fail> | null {
  if (questions.begins(first)) return null;
  const other = DOMAIN_NAMES.find((name) => {
    const others = questionsFor(name);
    return name !== questions.game && others.ok && others.value.begins(first);
  });
  if (other === undefined) return null;
  const message = `this asks about ${other}, and the model reads ${questions.game}; give lines of ${questions.game}.`;
  return fail('other-game', message);
}
