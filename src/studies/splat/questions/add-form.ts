import { fail, ok, type Result } from '../../../base/result.ts';
import type { QuestionForm, SplatGame } from './question.ts';

/** Question indicators of the vocabulary that ask nothing yet (the paper, section 5.1, keeps them for new questions). */
export function spareIndicators<State>({ notation, forms }: SplatGame<State>): string[] {
  const taken = new Set(forms.map(({ indicator }) => indicator));
  return notation.vocabulary.tokens.filter((token) => /^Q\d+$/.test(token) && !taken.has(token));
}

/** What is told beside the scores of each kind of question under a name of its own, which no question may have. */
const RESULT_NAMES = ['random', 'legal-verbs', 'perplexity'];

/** Whether a question's name stands for something else in results, as "random" does for the random baseline. */
export function isResultName(name: string): boolean {
  return RESULT_NAMES.includes(name);
}

/**
 * The same game with one more kind of question, made, read and checked as the paper's own: pass the result to
 * `questionsOf`. Fails with `bad-form` where the name is taken or kept for results, the indicator not spare, or a token not
 * in the vocabulary.
 */
export function withForm<State>(game: SplatGame<State>, form: QuestionForm<State>): Result<SplatGame<State>> {
  if (game.forms.some(({ name }) => name === form.name))
    return fail('bad-form', `There is a question named "${form.name}" already; give it another name.`);
  if (isResultName(form.name))
    return fail('bad-form', `"${form.name}" names something else among the results; give the question another name.`);
  const spare = spareIndicators(game);
  if (!spare.includes(form.indicator)) {
    const text = `${form.indicator} is not a spare question token of ${game.domain.name}`;
    if (spare.length === 0) return fail('bad-form', `${text}; all of them are in use, so leave a question out.`);
    const left =
      spare.length === 1
        ? `the only one left is ${spare[0]}`
        : `those are ${spare[0]} to ${spare.at(-1)}, without the ones in use`;
    return fail('bad-form', `${text}; ${left}.`);
  }
  const firstArgs = form.takes.map(([token]) => token);
  const tokens = [...form.takes.flat(), ...(form.kind === 'state' ? form.answers(firstArgs) : [])];
  const unknown = tokens.find((token) => game.notation.vocabulary.id(token) === undefined);
  if (unknown !== undefined)
    return fail('bad-form', `"${unknown}" is not in the vocabulary of ${game.domain.name}; ask with tokens that are.`);
  return ok({ ...game, forms: [...game.forms, form] });
}
