import { issueText } from '../src/config/issue-text.ts';
import * as v from 'valibot';
import { inputError } from '../src/base/result.ts';
import { CustomQuestionsSchema, type CustomQuestion } from '../src/config/questions-schema.ts';
import { GOAL_MODES, type GoalMode } from '../src/studies/splat/questions/question.ts';
import { jsonFile, usageError } from './node-io.ts';

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
  const list = 'a list such as [{"name": "full count", "indicator": "Q9", "expression": "balls = 3 and strikes = 2"}]';
  const parsed = v.safeParse(CustomQuestionsSchema, await jsonFile(path, 'bad-questions', list));
  if (parsed.success) return parsed.output;
  const message = `${path} is no list of questions: ${issueText(parsed.issues, 'the list')}; give ${list}.`;
  throw inputError('bad-questions', message);
}
