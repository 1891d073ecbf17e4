import type { Random } from '../../../base/random.ts';
import type { GoalMode, QuestionForm, QuestionLine, SplatGame } from './question.ts';

/** Points of a game tried for a goal that can be asked. */
export const GOAL_TRIES = 20;
/** Draws of a point after which the shortest is taken. */
const DRAWS = 1000;

/** Which question, and how many verbs of the game stand before it. */
export interface QuestionPoint {
  form: string;
  length: number;
}

/** The kind of question of that name. @throws RangeError where the game has none */
export function formNamed<State>(game: SplatGame<State>, name: string): QuestionForm<State> {
  const form = game.forms.find((candidate) => candidate.name === name);
  if (form === undefined) throw new RangeError(`${game.domain.name} has no question named ${name}`);
  return form;
}

/**
 * A question at a random point of a game, in the authors' way: every kind equally likely, the point as the game draws
 * it, arguments uniform. Null where the game is too short for it, as the authors leave such games out.
 */
export function makeQuestion<State>(
  game: SplatGame<State>,
  trace: Uint16Array,
  options: { random: Random; mode: GoalMode },
): QuestionLine | null {
  const { random } = options;
  const form = game.forms[random.below(game.forms.length)];
  for (let i = 0; i < (form.kind === 'goal' ? GOAL_TRIES : 1); i++) {
    const length = game.drawLength(form, trace.length, random);
    if (length === null) return null;
    const line = questionAt(game, trace, { form: form.name, length }, options);
    if (line) return line;
  }
  return null;
}

/** The question of one form after so many events, its arguments drawn; null for a goal that nothing there leads to. */
export function questionAt<State>(
  game: SplatGame<State>,
  trace: Uint16Array,
  point: QuestionPoint,
  { random, mode }: { random: Random; mode: GoalMode },
): QuestionLine | null {
  const form = formNamed(game, point.form);
  const prefix = trace.slice(0, point.length);
  const line = { game: game.domain.name, form: form.name, prefix };
  if (form.kind === 'state') {
    const args = form.takes.map((tokens) => tokens[random.below(tokens.length)]);
    return { ...line, args, answer: form.answer(game.stateAfter(prefix), args), path: null };
  }
  const goal = game.drawGoal(trace, point.length, mode, random);
  return goal && { ...line, ...goal, answer: null };
}

/**
 * A form, each equally likely that a game of so many events allows, and a point by the game's distribution over those
 * that it has. Unlike `makeQuestion` it finds a question in every game that has one, so that the number of questions is
 * known before they are drawn. Null where the game is too short for any.
 */
export function drawPoint<State>(
  game: SplatGame<State>,
  events: number,
  random: Random,
  only?: QuestionForm<State>['kind'],
): QuestionPoint | null {
  const possible = game.forms.filter(
    (form) => (only === undefined || form.kind === only) && game.drawLength(form, events, shortest) !== null,
  );
  if (possible.length === 0) return null;
  const form = possible[random.below(possible.length)];
  for (let i = 0; i < DRAWS; i++) {
    const length = game.drawLength(form, events, random);
    if (length !== null) return { form: form.name, length };
  }
  return { form: form.name, length: game.drawLength(form, events, shortest)! };
}

/**
 * The chance that a question tried in a game of so many events finds its place, exactly: every number that `drawLength`
 * may draw is tried in its stead, once for each kind of question. Goals that no variable leads to are not told apart, as
 * they depend on the game and not on its length.
 */
export function shareAsked<State>(game: SplatGame<State>, events: number): number {
  const shares = game.forms.map((form) => {
    let among = 1;
    let found = 0;
    for (let drawn = 0; drawn < among; drawn++) {
      const below = (n: number): number => {
        among = n;
        return drawn;
      };
      if (game.drawLength(form, events, { ...shortest, below }) !== null) found++;
    }
    return found / among;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Draws that give the least there is: with it `drawLength` tells whether there is any point at all. */
const shortest: Random = { next: () => 0, below: () => 0, normal: () => 0 };
