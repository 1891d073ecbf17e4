import { fail, ok, type Result } from '../../../base/result.ts';
import type { TextSpelling } from '../../../domains/domain.ts';
import type { Engine } from '../../../engine/engine.ts';
import { endedEarly, pauseOf } from '../../asking/cancellation.ts';
import type { Measuring } from '../../asking/measuring.ts';
import { answerGoal } from './goal-answer.ts';
import { GOAL_VERBS, type GoalMode, type QuestionLine } from '../questions/question.ts';
import type { Questions } from '../questions/questions.ts';
import type { SplatAnswer } from '../splat-assessment.ts';
import { tailLogProbabilities } from './tail-probabilities.ts';

export type QuestionAnswer = Omit<SplatAnswer, 'line' | 'distance'>;

export interface Asking extends Measuring {
  /** How goals are judged; as the authors do where it is not said. */
  mode?: GoalMode;
  /** How the lines are written for a model of text; left out for one of the game's own tokens. */
  text?: TextSpelling;
}

/** Questions that an engine answers at once. */
const ROWS = 4;

/** Whether a model of this context can be asked: the question, and room for what it answers. */
export function fitsQuestion(questions: Questions, line: QuestionLine, context: number, text?: TextSpelling): boolean {
  const { prompt, tails } = writtenFor(questions, line, text);
  const verbs = GOAL_VERBS * questions.verbTokens;
  // The last token of an answer is not read; of text, the word after the last verb is begun.
  const room = tails ? Math.max(...tails.map(({ length }) => length)) - 1 : text ? (verbs + 1) * text.longest : verbs;
  return prompt.length + room <= context;
}

/** A question in a model's tokens, and of a state question every answer with [end]. */
function writtenFor(
  questions: Questions,
  line: QuestionLine,
  text?: TextSpelling,
): { prompt: readonly number[]; candidates: readonly number[] | null; tails: readonly number[][] | null } {
  const { prompt, candidates } = questions.encode(line);
  const tails = candidates && candidates.map((token) => [token, questions.vocabulary.end]);
  return text
    ? { prompt: text.spell(prompt), candidates, tails: tails && tails.map((tail) => text.spell(tail)) }
    : { prompt, candidates, tails };
}

/**
 * The model's answers, one for each line, in the lines' order (Demeter and Downey 2021, section 5.3). Of a state question
 * every candidate makes a whole line, and the lines are ranked by their probability; since all share what stands before
 * the answer, that is P(answer | ...) times P([end] | ..., answer), and the shared part is run once. Of text the same holds
 * of all pieces of the answer and of "[end]". Ties go to the candidate that the question names first. Goals: goal-answer.ts. Pauses after every few lines.
 * Fails with `too-long` and `cancelled`.
 */
export function askQuestions(
  engine: Engine,
  questions: Questions,
  lines: readonly QuestionLine[],
  options: Asking = {},
): Promise<Result<QuestionAnswer[]>> {
  const pause = pauseOf(options);
  const { context } = engine.model;
  return endedEarly(async () => {
    const { text } = options;
    const long = lines.findIndex((line) => !fitsQuestion(questions, line, context, text));
    if (long >= 0)
      return fail(
        'too-long',
        `Question ${long + 1} of ${lines.length} does not fit the model, which reads at most ${context} tokens; leave it out.`,
      );
    const answers = new Array<QuestionAnswer>(lines.length);
    const isGoal = (i: number): boolean => lines[i].path !== null;
    const numbers = lines.map((_, i) => i);
    const goals = numbers.filter(isGoal);
    const states = numbers.filter((i) => !isGoal(i));
    let done = 0;
    const tell = async (count: number): Promise<void> => {
      done += count;
      options.onProgress?.({ label: `Question ${done} of ${lines.length}`, share: done / lines.length });
      await pause();
    };
    for (let at = 0; at < states.length; at += ROWS) {
      const asked = states.slice(at, at + ROWS);
      const written = asked.map((i) => writtenFor(questions, lines[i], text));
      const scores = await tailLogProbabilities(
        engine,
        written.map(({ prompt }) => prompt),
        written.map(({ tails }) => tails!),
      );
      asked.forEach((i, row) => {
        answers[i] = ranked(questions, lines[i], written[row].candidates!, scores[row]);
      });
      await tell(asked.length);
    }
    for (const i of goals) {
      const { answered, correct } = await answerGoal(engine, questions, lines[i], options.mode ?? 'released', text);
      const gold = goldOf(questions, lines[i]);
      answers[i] = { ...plainly(lines[i]), gold, answered, correct, goldProbability: null };
      await tell(1);
    }
    return ok(answers);
  });
}

function ranked(
  questions: Questions,
  line: QuestionLine,
  candidates: readonly number[],
  scores: readonly number[],
): QuestionAnswer {
  const { tokens } = questions.vocabulary;
  const best = scores.reduce((most, score, i) => (score > scores[most] ? i : most), 0);
  // Chances of whole lines are small numbers: their shares are taken relative to the largest.
  const shares = scores.map((score) => Math.exp(score - scores[best]));
  const sum = shares.reduce((total, share) => total + share, 0);
  const answered = tokens[candidates[best]];
  const gold = line.answer!;
  const goldAt = candidates.findIndex((token) => tokens[token] === gold);
  return { ...plainly(line), gold, answered, correct: answered === gold, goldProbability: shares[goldAt] / sum };
}

function plainly({ form, prefix, args }: QuestionLine): Pick<QuestionAnswer, 'form' | 'events' | 'args'> {
  return { form, events: prefix.length, args: [...args] };
}

/** The verbs of a goal line, without [end]. */
function goldOf(questions: Questions, line: QuestionLine): string {
  const { answer } = questions.encode(line);
  return answer
    .slice(0, -1)
    .map((id) => questions.vocabulary.tokens[id])
    .join(' ');
}
