import { fail, ok, type Result } from '../../../base/result.ts';
import { GOAL_VERBS, type QuestionForm, type QuestionLine, type SplatGame } from './question.ts';

/**
 * One question line in tokens, its verbs replayed and its question checked for form, not for truth (check.ts). Failures
 * name the token by its number in the line: `not-a-question`, `truncated`, `bad-argument`, `bad-answer`, and what the
 * game's verbs give.
 */
export function readLine<State>(game: SplatGame<State>, tokens: readonly string[]): Result<QuestionLine> {
  const shape = shapeOf(tokens);
  if (!shape.ok) return shape;
  const { separator } = shape.value;
  const prefix = game.read(tokens.slice(1, separator), 2);
  if (!prefix.ok) return prefix;

  const form = game.forms.find(({ indicator }) => indicator === tokens[separator + 1]);
  if (form === undefined) {
    const known = game.forms.map(({ indicator, name }) => `${indicator} (${name})`).join(', ');
    const text = `"${clip(tokens[separator + 1])}" asks nothing known of ${game.domain.name}; the questions are ${known}.`;
    return fail('not-a-question', `Token ${separator + 2}: ${text}`);
  }
  const asked = separator + 2;
  const args = tokens.slice(asked, asked + form.takes.length);
  const wrong = args.findIndex((token, i) => !form.takes[i].includes(token));
  if (wrong >= 0 || args.length < form.takes.length || asked + args.length >= tokens.length - 1)
    return badArgument(form, tokens, asked + (wrong >= 0 ? wrong : Math.min(args.length, tokens.length - 1 - asked)));

  const rest = tokens.slice(asked + args.length, -1);
  const answerAt = asked + args.length + 1;
  const line = { game: game.domain.name, form: form.name, prefix: prefix.value, args };
  if (form.kind === 'state') {
    if (rest.length === 1 && form.answers(args).includes(rest[0])) return ok({ ...line, answer: rest[0], path: null });
    const text = `"${clip(rest.join(' '))}" is no answer to ${form.indicator}; it takes one of ${few(form.answers(args))}.`;
    return fail('bad-answer', `Token ${answerAt}: ${text}`);
  }
  const path = game.readPath(rest, answerAt, prefix.value);
  if (!path.ok) return path;
  if (path.value.length === GOAL_VERBS) return ok({ ...line, answer: null, path: path.value });
  const message = `the answer tells ${path.value.length} of the ${GOAL_VERBS} verbs that a goal question takes; give exactly ${GOAL_VERBS}.`;
  return fail('bad-answer', `Token ${answerAt}: ${message}`);
}

/** Where [sep] stands in a line that begins, divides and ends as a question does. */
export function shapeOf(tokens: readonly string[]): Result<{ separator: number }> {
  const form = 'a question line is "[start] verbs [sep] Q arguments answer [end]"';
  if (tokens[0] !== '[start]') return fail('not-a-question', `It begins with "${clip(tokens[0])}"; ${form}.`);
  const separator = tokens.indexOf('[sep]');
  if (separator < 0) return fail('truncated', `There is no [sep], so nothing is asked; ${form}.`);
  if (tokens.at(-1) !== '[end]') return fail('truncated', `It does not end with [end], so it may be cut off; ${form}.`);
  if (separator === 1) return fail('not-a-question', `There are no verbs before [sep]; ${form}.`);
  for (const [i, token] of tokens.entries())
    if (i > 0 && i < tokens.length - 1 && i !== separator && ['[start]', '[sep]', '[end]', '[pad]'].includes(token))
      return fail('not-a-question', `Token ${i + 1}: a second ${token}; give one question a line.`);
  return ok({ separator });
}

function badArgument<State>(form: QuestionForm<State>, tokens: readonly string[], at: number): Result<never> {
  const missing = at >= tokens.length - 1;
  const wanted = at - tokens.indexOf('[sep]') - 2;
  const kind = form.takes[wanted];
  const text = kind === undefined ? 'the answer is missing' : `it takes one of ${few(kind)} here`;
  const told = missing ? 'the line ends' : `"${clip(tokens[at])}" is no argument of ${form.indicator}`;
  return fail(missing ? 'truncated' : 'bad-argument', `Token ${at + 1}: ${told}; ${text}.`);
}

function few(tokens: readonly string[]): string {
  return tokens.length <= 13 ? tokens.join(' ') : `${tokens.slice(0, 3).join(' ')} ... ${tokens.at(-1)}`;
}

function clip(token: string | undefined): string {
  return token === undefined ? '' : token.slice(0, 24);
}
