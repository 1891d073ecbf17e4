import { fail, ok, type Result } from '../../base/result.ts';
import type { Random } from '../../base/random.ts';
import type { OwnQuestion } from '../../config/questions-schema.ts';
import type { Vocabulary } from '../../domains/domain.ts';
import { domainNamed } from '../../domains/domains.ts';
import { baseballQuestions } from './baseball-questions.ts';
import { chessQuestions } from './chess-questions.ts';
import { makeQuestion } from './make.ts';
import type { GoalMode, QuestionForm, QuestionLine, SplatGame } from './question.ts';
import { readLine, shapeOf } from './read-line.ts';

/** The questions of one game, ready for use; what its states are stays inside. */
export interface Questions {
  /** "chess" or "baseball". */
  readonly game: string;
  readonly vocabulary: Vocabulary;
  readonly forms: readonly { name: string; indicator: string }[];
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
  /** A question at a random point of a game; null where the game is too short. */
  make(trace: Uint16Array, options: { random: Random; mode: GoalMode }): QuestionLine | null;
  /**
   * Token ids of a question: `prompt` up to its last argument, `answer` with [end] behind it, and for a state question
   * all answers possible, each a token, among which a model's likeliest is taken.
   */
  encode(line: QuestionLine): { prompt: number[]; answer: number[]; candidates: number[] | null };
  /** Token ids that may legally follow a line's verbs: the gold set of Legal Verbs. */
  legalTokens(line: QuestionLine): number[];
}

export function questionsOf<State>(game: SplatGame<State>): Questions {
  const { vocabulary } = game.notation;
  const formOf = (line: QuestionLine): QuestionForm<State> => {
    const form = game.forms.find(({ name }) => name === line.form);
    if (form === undefined) throw new RangeError(`${game.domain.name} has no question named ${line.form}`);
    return form;
  };
  const words = (line: QuestionLine): { prompt: string[]; answer: string[] } => ({
    prompt: ['[start]', ...tokensOf(game, line.prefix), '[sep]', formOf(line).indicator, ...line.args],
    answer: [...(line.path ? tokensOf(game, line.path) : [line.answer!]), '[end]'],
  });
  const ids = (tokens: readonly string[]) => tokens.map((token) => vocabulary.id(token)!);
  return {
    game: game.domain.name,
    vocabulary,
    forms: game.forms,
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
    make: (trace, options) => makeQuestion(game, trace, options),
    encode: (line) => {
      const form = formOf(line);
      const { prompt, answer } = words(line);
      const candidates = form.kind === 'state' ? ids(form.answers(line.args)) : null;
      return { prompt: ids(prompt), answer: ids(answer), candidates };
    },
    legalTokens: (line) => game.nextTokens(game.stateAfter(line.prefix)),
  };
}

/**
 * The questions of a game, with those that somebody has added. Fails with `unknown-domain`, `no-questions` or `bad-form`.
 */
export function questionsFor(domain: string, own: readonly OwnQuestion[] = []): Result<Questions> {
  const found = domainNamed(domain);
  if (!found.ok) return found;
  if (own.length > 0) return fail('bad-form', 'Own questions cannot be asked yet.');
  if (domain === 'chess' || domain === 'baseball') return ok(QUESTIONS[domain]);
  return fail('no-questions', `${found.value.title} has no questions.`);
}

/** The questions of the paper, by game. */
export const QUESTIONS: Readonly<Record<'chess' | 'baseball', Questions>> = {
  chess: questionsOf(chessQuestions),
  baseball: questionsOf(baseballQuestions),
};

/** One line of either game, told apart by its first verb. Failures as in read-line.ts. */
export function parseQuestion(text: string): Result<{ line: QuestionLine; questions: Questions }> {
  const tokens = text.split(/\s+/).filter((token) => token !== '');
  const shape = shapeOf(tokens);
  if (!shape.ok) return shape;
  const questions = Object.values(QUESTIONS).find((candidate) => candidate.begins(tokens[1]));
  if (questions === undefined) {
    const words = `"${tokens[1].slice(0, 24)}" begins no game; lines of chess begin with a move such as e2e4, lines of baseball with <sog>.`;
    return fail('not-a-question', `Token 2: ${words}`);
  }
  const line = questions.read(tokens);
  return line.ok ? ok({ line: line.value, questions }) : line;
}

/** The tokens of events, without [start]. */
function tokensOf<State>(game: SplatGame<State>, trace: Uint16Array): string[] {
  const { vocabulary } = game.notation;
  return game.notation
    .encode(trace, { random: null, closed: false })
    .slice(1)
    .map((id) => vocabulary.tokens[id]);
}
