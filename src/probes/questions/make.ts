import type { Random } from '../../base/random.ts';
import type { GoalMode, QuestionForm, QuestionLine, SplatGame } from './question.ts';

/** Points of a game tried for a goal that can be asked. */
const TRIES = 20;

/**
 * A question at a random point of a game, in the authors' way: every kind equally likely, the point as the game draws
 * it, arguments uniform. Null where the game is too short for it, as the authors leave such games out.
 */
export function makeQuestion<State>(
  game: SplatGame<State>,
  trace: Uint16Array,
  { random, mode }: { random: Random; mode: GoalMode },
): QuestionLine | null {
  const form = game.forms[random.below(game.forms.length)];
  const line = { game: game.domain.name, form: form.name };
  if (form.kind === 'state') {
    const length = game.drawLength(form, trace.length, random);
    if (length === null) return null;
    const prefix = trace.slice(0, length);
    const args = form.takes.map((tokens) => tokens[random.below(tokens.length)]);
    return { ...line, prefix, args, answer: form.answer(game.stateAfter(prefix), args), path: null };
  }
  const goal = drawGoal(game, form, trace, mode, random);
  return goal && { ...line, ...goal, answer: null };
}

function drawGoal<State>(
  game: SplatGame<State>,
  form: QuestionForm<State>,
  trace: Uint16Array,
  mode: GoalMode,
  random: Random,
): Pick<QuestionLine, 'prefix' | 'args' | 'path'> | null {
  for (let i = 0; i < TRIES; i++) {
    const length = game.drawLength(form, trace.length, random);
    if (length === null) return null;
    const goal = game.drawGoal(trace, length, mode, random);
    if (goal) return { prefix: trace.slice(0, length), ...goal };
  }
  return null;
}
