import { fail, ok, type Result } from '../../../base/result.ts';
import type { CustomQuestion } from '../../../config/questions-schema.ts';
import { withForm } from '../questions/add-form.ts';
import type { SplatGame } from '../questions/question.ts';
import { customFormOf } from './custom-form.ts';
import { placed } from './tree.ts';

/**
 * The game with questions that somebody has written, made, read and checked as its own. Fails with `bad-form` (a name or
 * an indicator that is taken) or as the text of the expression does, naming the question and the character.
 */
export function withCustom<State>(game: SplatGame<State>, custom: readonly CustomQuestion[]): Result<SplatGame<State>> {
  let grown = game;
  for (const question of custom) {
    const form = customFormOf(question, game);
    if (!form.ok) return fail(form.error.code, `The question "${question.name}": ${placed(form.error)}`);
    const added = withForm(grown, form.value);
    if (!added.ok) return added;
    grown = added.value;
  }
  return ok(grown);
}
