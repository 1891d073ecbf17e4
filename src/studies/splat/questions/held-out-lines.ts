import { seededRandom, shuffle } from '../../../base/random.ts';
import type { Corpus } from '../../../data/corpus.ts';
import type { TextSpelling } from '../../../domains/domain.ts';
import { fitsQuestion } from '../asking/ask-questions.ts';
import type { GoalMode, QuestionLine } from './question.ts';
import type { Questions } from './questions.ts';

/** Times that the games are gone through for more questions. */
const PASSES = 50;

export interface HeldOut {
  games: Corpus;
  /** Tokens that the model reads at most: what does not fit is left out. */
  context: number;
  seed: number;
  /** How lines are written for a model of text. */
  text?: TextSpelling;
}

/**
 * Question lines of held-out games, `each` of every form where the games give so many: the games in an order of the seed,
 * one question a game, by the authors' draws (make.ts), then again from the first. No line comes twice.
 */
export function heldOutLines(
  questions: Questions,
  { games, context, seed, text }: HeldOut,
  { each, mode }: { each: number; mode: GoalMode },
): QuestionLine[] {
  const lines = new Map<string, QuestionLine>();
  const wanting = new Map(questions.forms.map(({ name }) => [name, each]));
  for (const { game, pass } of visits(games, seed)) {
    if ([...wanting.values()].every((more) => more === 0)) break;
    const line = questions.make(games.trace(game), { random: seededRandom('held-out line', seed, pass, game), mode });
    if (line === null || wanting.get(line.form) === 0 || !fitsQuestion(questions, line, context, text)) continue;
    const written = questions.format(line);
    if (lines.has(written)) continue;
    lines.set(written, line);
    wanting.set(line.form, wanting.get(line.form)! - 1);
  }
  return [...lines.values()];
}

/**
 * Beginnings of held-out games for Legal Verbs: points as state questions have them, since the authors say no more than
 * "an arbitrary time". No beginning comes twice.
 * @param tokensOf how many tokens a beginning takes
 */
export function heldOutPrefixes(
  questions: Questions,
  { games, context, seed }: HeldOut,
  { many, tokensOf }: { many: number; tokensOf: (prefix: Uint16Array) => number },
): Uint16Array[] {
  const prefixes = new Map<string, Uint16Array>();
  for (const { game, pass } of visits(games, seed)) {
    if (prefixes.size === many) break;
    const trace = games.trace(game);
    const random = seededRandom('held-out prefix', seed, pass, game);
    const point = questions.drawPoint(trace.length, { random, only: 'state' });
    if (point === null) continue;
    const prefix = trace.slice(0, point.length);
    if (tokensOf(prefix) <= context) prefixes.set(prefix.join(), prefix);
  }
  return [...prefixes.values()];
}

/** Every game in an order of the seed, over and over. */
function* visits(games: Corpus, seed: number): Generator<{ game: number; pass: number }> {
  const order = shuffle(
    Uint32Array.from({ length: games.length }, (_, game) => game),
    seededRandom('held-out games', seed),
  );
  for (let pass = 0; pass < PASSES; pass++) for (const game of order) yield { game, pass };
}
