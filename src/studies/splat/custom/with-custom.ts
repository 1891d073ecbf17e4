import { fail, ok, type Result } from '../../../base/result.ts';
import type { OwnQuestion } from '../../../config/questions-schema.ts';
import { withForm } from '../questions/add-form.ts';
import type { SplatGame } from '../questions/question.ts';
import { ownFormOf } from './custom-form.ts';
import { placed } from './tree.ts';

/**
 * The game with questions that somebody has written, made, read and checked as its own. Fails with `bad-form` (a name or
 * an indicator that is taken) or as the text of the expression does, naming the question and the character.
 */
export function withOwn<State>(game: SplatGame<State>, own: readonly OwnQuestion[]): Result<SplatGame<State>> {
  let grown = game;
  for (const question of own) {
    const form = ownFormOf(question, game);
    if (!form.ok) return fail(form.error.code, `The question "${question.name}": ${placed(form.error)}`);
    const added = withForm(grown, form.value);
    if (!added.ok) return added;
    grown = added.value;
  }
  return ok(grown);
}
