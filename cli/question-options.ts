import { readFile } from 'node:fs/promises';
import { issueText } from '../src/config/issue-text.ts';
import * as v from 'valibot';
import { fail, InputError } from '../src/base/result.ts';
import { CustomQuestionsSchema, type CustomQuestion } from '../src/config/questions-schema.ts';
import { GOAL_MODES, type GoalMode } from '../src/studies/splat/questions/question.ts';
import { usageError } from './node-io.ts';

/** The way of making and judging goals that an option names; anything else is wrong usage. */
export function goalModeOf(option: string, text: string): GoalMode {
  const mode = GOAL_MODES.find((candidate) => candidate === text);
  if (mode === undefined) throw usageError(`${option} ${text}: choose ${GOAL_MODES.join(' or ')}.`);
  return mode;
}

/**
 * The questions of a JSON file, a list of {"name", "indicator", "expression"}; none where no file is named. Whether the
 * expressions mean anything in a game is for questionsFor. Fails as InputError with file and field.
 */
export async function customQuestions(path: string | undefined): Promise<CustomQuestion[]> {
  if (path === undefined) return [];
  const wrong = (words: string): InputError => {
    const example = '[{"name": "full count", "indicator": "Q9", "expression": "balls = 3 and strikes = 2"}]';
    return new InputError(
      fail('bad-questions', `${path} ${words}; give a list such as ${example}.`, { file: path }).error,
    );
  };
  let input: unknown;
  try {
    input = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw wrong(error instanceof SyntaxError ? `is not JSON (${error.message})` : 'cannot be read');
  }
  const parsed = v.safeParse(CustomQuestionsSchema, input);
  if (parsed.success) return parsed.output;
  throw wrong(`is no list of questions: ${issueText(parsed.issues, 'the list')}`);
}
