import { fail, ok, type Result } from '../../../base/result.ts';
import type { Random } from '../../../base/random.ts';
import type { CustomQuestion } from '../../../config/questions-schema.ts';
import type { Vocabulary } from '../../../domains/domain.ts';
import { DOMAIN_NAMES, domainNamed, notationOf } from '../../../domains/domains.ts';
import { TEXT } from '../../../domains/text-notation.ts';
import { baseballQuestions } from './baseball-questions.ts';
import { chessQuestions } from './chess-questions.ts';
import { drawPoint, formNamed, makeQuestion, questionAt, shareAsked, type QuestionPoint } from './make.ts';
import type { GoalMode, QuestionForm, QuestionLine, SplatGame } from './question.ts';
import { withCustom } from '../custom/with-custom.ts';
import { readLine, shapeOf } from './read-line.ts';
import { splatGameOf } from './splat-game.ts';

/** The questions of one game, ready for use; what its states are stays inside. */
export interface Questions {
  /** The name of the domain: "chess". */
  readonly game: string;
  readonly vocabulary: Vocabulary;
  readonly forms: readonly Pick<QuestionForm<unknown>, 'kind' | 'name' | 'indicator' | 'takes'>[];
  readonly goalModes: readonly GoalMode[];
  /** Most tokens of a verb with its arguments. */
  readonly verbTokens: number;
  begins(token: string): boolean;
  /** A line in tokens, its verbs replayed; failures as in read-line.ts. */
  read(tokens: readonly string[]): Result<QuestionLine>;
  format(line: QuestionLine): string;
  /**
   * Whether the line's answer is that of the symbolic program. A goal is reached when the verbs of the answer are
   * applied one after another to the state at [sep]; `corrected` also wants each of them to be legal where it stands,
   * which the repeated verb of a released baseball line seldom is.
   */
  agrees(line: QuestionLine, mode: GoalMode): boolean;
  /** Whether the rules allow these events one after another behind a prefix. */
  isLegalPath(prefix: Uint16Array, path: Uint16Array): boolean;
  /** A question at a random point of a game; null where the game is too short. */
  make(trace: Uint16Array, options: { random: Random; mode: GoalMode }): QuestionLine | null;
  /** The chance that `make` finds a question in a game of so many events (make.ts). */
  shareAsked(events: number): number;
  /** A form and a point for a game of so many events (make.ts); null where it is too short for any question. */
  drawPoint(events: number, options: { random: Random; only?: QuestionForm<unknown>['kind'] }): QuestionPoint | null;
  /** A question at that point of a game; null where no goal can be asked there. */
  makeAt(trace: Uint16Array, point: QuestionPoint, options: { random: Random; mode: GoalMode }): QuestionLine | null;
  /** A state question after these events, with the program's answer. */
  ask(prefix: Uint16Array, form: string, args: readonly string[]): QuestionLine;
  /** The events that tokens tell as an answer after `prefix`; failures as in read-line.ts. */
  readPath(tokens: readonly string[], prefix: Uint16Array): Result<Uint16Array>;
  /**
   * Token ids of a question: `prompt` up to its last argument, `answer` with [end] behind it, and for a state question
   * all answers possible, each a token, among which a model's likeliest is taken.
   */
  encode(line: QuestionLine): { prompt: number[]; answer: number[]; candidates: number[] | null };
  /** Token ids that may legally follow these events, at least one: the gold set of Legal Verbs. */
  legalTokens(prefix: Uint16Array): number[];
  /** Token ids that the legal verbs are spelt with, arguments and all: what the paper seems to have taken for it. */
  spelling(prefix: Uint16Array): number[];
  /** Whether those are others than may come next, so that Legal Verbs is counted in two ways. */
  readonly spelt: boolean;
}

/** The questions that a game offers, of any forms, as a whole to read, check, make and ask. */
export function questionsOf<State>(game: SplatGame<State>): Questions {
  const { vocabulary } = game.notation;
  const formOf = (line: { form: string }): QuestionForm<State> => formNamed(game, line.form);
  const words = (line: QuestionLine): { prompt: string[]; answer: string[] } => ({
    prompt: ['[start]', ...tokensOf(game, line.prefix), '[sep]', formOf(line).indicator, ...line.args],
    answer: [...(line.path ? tokensOf(game, line.path) : [line.answer!]), '[end]'],
  });
  const ids = (tokens: readonly string[]) => tokens.map((token) => vocabulary.id(token)!);
  return {
    game: game.domain.name,
    vocabulary,
    forms: game.forms,
    goalModes: game.goalModes,
    verbTokens: game.notation.maxTokens(1) - game.notation.maxTokens(0),
    begins: (token) => game.begins(token),
    read: (tokens) => readLine(game, tokens),
    format: (line) => [...words(line).prompt, ...words(line).answer].join(' '),
    agrees: (line, mode) => {
      const form = formOf(line);
      if (form.kind === 'state') return form.answer(game.stateAfter(line.prefix), line.args) === line.answer;
      const path = line.path!;
      if (mode === 'corrected' && !game.isLegalPath(game.stateAfter(line.prefix), path)) return false;
      return form.holds(game.stateAfter(line.prefix, path), line.args);
    },
    isLegalPath: (prefix, path) => game.isLegalPath(game.stateAfter(prefix), path),
    make: (trace, options) => makeQuestion(game, trace, options),
    shareAsked: (events) => shareAsked(game, events),
    drawPoint: (events, { random, only }) => drawPoint(game, events, random, only),
    makeAt: (trace, point, options) => questionAt(game, trace, point, options),
    ask: (prefix, name, args) => {
      const form = formNamed(game, name);
      if (form.kind !== 'state') throw new RangeError(`${name} is no question that a state answers`);
      const answer = form.answer(game.stateAfter(prefix), args);
      return { game: game.domain.name, form: name, prefix, args, answer, path: null };
    },
    readPath: (tokens, prefix) => game.readPath(tokens, 1, prefix),
    encode: (line) => {
      const form = formOf(line);
      const { prompt, answer } = words(line);
      const candidates = form.kind === 'state' ? ids(form.answers(line.args)) : null;
      return { prompt: ids(prompt), answer: ids(answer), candidates };
    },
    legalTokens: (prefix) => game.nextTokens(game.stateAfter(prefix)),
    spelling: (prefix) => {
      const state = game.stateAfter(prefix);
      return game.spelling?.(state) ?? game.nextTokens(state);
    },
    spelt: game.spelling !== undefined,
  };
}

/**
 * The questions of a game, with those that somebody has added. Fails with `unknown-domain`, `no-questions` or as
 * custom/with-custom.ts does.
 */
export function questionsFor(domain: string, custom: readonly CustomQuestion[] = []): Result<Questions> {
  const known = custom.length === 0 ? byName().get(domain) : undefined;
  if (known) return ok(known);
  const game = splatGameOf(domain);
  if (!game.ok) return game;
  const grown = withCustom(game.value, custom);
  return grown.ok ? ok(questionsOf(grown.value)) : grown;
}

/** Whether questions can be asked of a game in this notation: it writes whole events or text, and the game has questions. */
export function asksQuestions({ domain, notation }: { domain: string; notation: string }): boolean {
  const found = notationOf({ domain, notation });
  return (notation === TEXT || (found.ok && found.value.tokensPer === 'event')) && questionsFor(domain).ok;
}

/** The questions of the paper, by game. */
export const QUESTIONS: Readonly<Record<'chess' | 'baseball', Questions>> = {
  chess: questionsOf(chessQuestions),
  baseball: questionsOf(baseballQuestions),
};

/** The questions of every game that has any, without custom ones. Made when first wanted, and kept. */
let everyGame: ReadonlyMap<string, Questions> | null = null;
function byName(): ReadonlyMap<string, Questions> {
  everyGame ??= new Map(
    DOMAIN_NAMES.flatMap((name): [string, Questions][] => {
      if (name === 'chess' || name === 'baseball') return [[name, QUESTIONS[name]]];
      const game = splatGameOf(name);
      return game.ok ? [[name, questionsOf(game.value)]] : [];
    }),
  );
  return everyGame;
}

/**
 * One line of any of these games (those of the lab where none are given), told apart by its first verb. Failures as in
 * read-line.ts; where a verb begins several games, the line is of the first that can read it.
 */
export function parseQuestion(
  text: string,
  games: readonly Questions[] = [...byName().values()],
): Result<{ line: QuestionLine; questions: Questions }> {
  const tokens = text.split(/\s+/).filter((token) => token !== '');
  const shape = shapeOf(tokens);
  if (!shape.ok) return shape;
  const read = games
    .filter((questions) => questions.begins(tokens[1]))
    .map((questions) => ({ questions, line: questions.read(tokens) }));
  for (const { questions, line } of read) if (line.ok) return ok({ line: line.value, questions });
  if (read.length > 0 && !read[0].line.ok) return read[0].line;
  const examples = games.map(({ game }) => `${exampleVerb(game)} (${game})`);
  const message = `"${tokens[1].slice(0, 24)}" begins no game; lines begin with ${examples.join(', ')}.`;
  return fail('not-a-question', `Token 2: ${message}`);
}

/** A verb that may begin a game, in words. */
function exampleVerb(game: string): string {
  const found = domainNamed(game);
  if (!found.ok) return 'one of its verbs';
  const domain = found.value;
  const legal = domain.legal(domain.initial());
  return domain.traces.format(legal.slice(0, 1)) + (legal.length > 1 ? ' or the like' : '');
}

/** The tokens of events, without [start]. */
function tokensOf<State>(game: SplatGame<State>, trace: Uint16Array): string[] {
  const { vocabulary } = game.notation;
  return game.notation
    .encode(trace, { random: null, closed: false })
    .slice(1)
    .map((id) => vocabulary.tokens[id]);
}
