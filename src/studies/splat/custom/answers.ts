import { fail, ok, type Result } from '../../../base/result.ts';
import type { SplatGame } from '../questions/question.ts';
import { isEmpty, type Meaning } from './scope.ts';

/** How the values of an expression are answered in tokens of the game. */
export interface Answers<State> {
  /** Every answer there can be, in order. */
  tokens: readonly string[];
  /** What people read for each token: "yes", "7", "9 or more", "empty". */
  labels: ReadonlyMap<string, string>;
  /** Where the largest number stands for all above it as well, that number; else null. */
  cut: number | null;
  of(state: State): string;
}

/** Where numbers have no tokens of their own and may be too many, they are told apart up to this. */
const DISTINGUISHED = 9;
/** No and yes, where they are spare. */
const TRUTH = ['A14', 'A15'];

/**
 * Tokens for the values of an expression. Truth values are two spare answer tokens. Numbers and texts are their own
 * token where the game has one among the values of its variables (a number, a piece, an empty base); the others are
 * spare answer tokens in order, of which different questions may use the same. Numbers from 0 up that are more than
 * there are tokens are told apart up to the last that has a token, 9 in a game without tokens for numbers. Fails with
 * `too-many-answers`.
 */
export function answersOf<State>(meaning: Meaning<State>, game: SplatGame<State>): Result<Answers<State>> {
  const spare = spareAnswers(game);
  const truth = TRUTH.every((token) => spare.includes(token)) ? TRUTH : spare.slice(-2);
  const free = spare.filter((token) => !truth.includes(token));
  const values = new Set(game.domain.variables.flatMap((variable) => variable.values));
  const hasToken = (value: string) => values.has(value) && game.notation.vocabulary.id(value) !== undefined;

  if (meaning.kind === 'truth') {
    const [no, yes] = truth;
    if (yes === undefined) return tooMany(`${game.domain.title} has no two spare tokens for no and yes.`);
    const labels = new Map([
      [no, 'no'],
      [yes, 'yes'],
    ]);
    return ok({ tokens: truth, labels, cut: null, of: (state) => (meaning.of(state) ? yes : no) });
  }
  if (meaning.kind === 'text') {
    const tokens = assigned(meaning.values, hasToken, free);
    if (tokens === null)
      return tooMany(
        `This can be one of ${meaning.values.length} texts, and ${free.length} tokens are spare for texts that have none; ask with "=", or tell fewer apart with "if".`,
      );
    const labels = new Map([...tokens].map(([value, token]) => [token, isEmpty(value) ? 'empty' : value]));
    return ok({ tokens: [...tokens.values()], labels, cut: null, of: (state) => tokens.get(meaning.of(state))! });
  }

  const { least, most } = meaning.range;
  const all = meaning.range.values && assigned(meaning.range.values.map(String), hasToken, free);
  if (all) return ok(numbered(meaning, all, null));
  let cut = DISTINGUISHED;
  while (hasToken(String(cut + 1))) cut++;
  const below = Array.from({ length: cut + 1 }, (_, i) => i).filter((value) => value >= least);
  const told = assigned(below.map(String), hasToken, free);
  if (least >= 0 && below.length > 1 && told !== null) return ok(numbered(meaning, told, cut));
  return tooMany(
    `This can be any number from ${least} to ${most}, more than there are tokens for; compare it with something, or keep it small, as in most(0, least(5, ...)).`,
  );
}

/** Answer tokens that the game's own questions do not use, and that no variable has as a value. */
export function spareAnswers<State>({ domain, notation, forms }: SplatGame<State>): string[] {
  const taken = new Set(
    forms.flatMap((form) => {
      if (form.kind !== 'state') return [];
      const firsts = form.takes.map(([token]) => token);
      const choices = form.takes.length === 0 ? [firsts] : form.takes[0].map((token) => [token, ...firsts.slice(1)]);
      return choices.flatMap((args) => form.answers(args));
    }),
  );
  for (const { values } of domain.variables) for (const value of values) taken.add(value);
  return notation.vocabulary.tokens.filter((token) => /^A\d+$/.test(token) && !taken.has(token));
}

/** Each value's token; null where there are more values without one than spare tokens. */
function assigned(
  values: readonly string[],
  hasToken: (value: string) => boolean,
  spare: readonly string[],
): Map<string, string> | null {
  let used = 0;
  const tokens = new Map(values.map((value) => [value, hasToken(value) ? value : spare[used++]]));
  return used > spare.length ? null : tokens;
}

function numbered<State>(
  meaning: Extract<Meaning<State>, { kind: 'number' }>,
  tokens: ReadonlyMap<string, string>,
  cut: number | null,
): Answers<State> {
  const labels = new Map(
    [...tokens].map(([value, token]) => [token, value === String(cut) ? `${value} or more` : value]),
  );
  const of = (state: State) => tokens.get(String(Math.min(meaning.of(state), cut ?? Infinity)))!;
  return { tokens: [...tokens.values()], labels, cut, of };
}

function tooMany(message: string): Result<never> {
  return fail('too-many-answers', message);
}
