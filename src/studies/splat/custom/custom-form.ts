import type { CustomQuestion } from '../../../config/questions-schema.ts';
import type { SplatGame, StateQuestion } from '../questions/question.ts';
import { answersOf, type Answers } from './answers.ts';
import { meaningOf } from './meaning.ts';
import { parseExpression } from './parser.ts';
import { scopeOf } from './scope.ts';
import type { Read } from './tree.ts';

/** A question that somebody has written, ready to be asked as the game's own. */
export interface CustomForm<State> extends StateQuestion<State> {
  answersRead: Answers<State>;
}

/** The answers that a text can have in a game; failures are those of the parser, of `meaningOf` and of `answersOf`. */
export function readExpression<State>(text: string, game: SplatGame<State>): Read<Answers<State>> {
  const tree = parseExpression(text);
  if (!tree.ok) return tree;
  const meaning = meaningOf(tree.value, scopeOf(game.domain));
  if (!meaning.ok) return meaning;
  const answers = answersOf(meaning.value, game);
  return answers.ok ? answers : { ok: false, error: { ...answers.error, at: 0, end: text.length } };
}

/** The form of a question, for `withForm`. `game` is the game with its own questions alone. */
export function customFormOf<State>(
  { name, indicator, expression }: CustomQuestion,
  game: SplatGame<State>,
): Read<CustomForm<State>> {
  const read = readExpression(expression, game);
  if (!read.ok) return read;
  const answersRead = read.value;
  const answers = () => answersRead.tokens;
  const answer = (state: State) => answersRead.of(state);
  return { ok: true, value: { kind: 'state', name, indicator, takes: [], answers, answer, answersRead } };
}
