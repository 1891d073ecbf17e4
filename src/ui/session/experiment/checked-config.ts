import { fail, ok, type Result } from '../../../base/result.ts';
import { parseRunConfig, type RunConfig } from '../../../config/run-config.ts';
import { notationOf } from '../../../domains/domains.ts';
import { TEXT } from '../../../domains/text-notation.ts';
import { questionsFor } from '../../../studies/splat/questions/questions.ts';

/**
 * A config from anything, as everything that comes into the page is read: the schema knows no games, so that the game's
 * notation and its questions are looked for here.
 */
export function checkedConfig(input: unknown): Result<RunConfig> {
  const parsed = parseRunConfig(input);
  if (!parsed.ok) return parsed;
  const config = parsed.value;
  // Text needs a tokenizer, which is the model's that the run starts from.
  const notation = notationOf(config.notation === TEXT ? { ...config, notation: 'splat' } : config);
  if (!notation.ok) return fail(notation.error.code, `notation: ${notation.error.message}`);
  if (config.questions === null) return ok(config);
  const questions = questionsFor(config.domain, config.questions.own);
  return questions.ok ? ok(config) : fail(questions.error.code, `questions: ${questions.error.message}`);
}
