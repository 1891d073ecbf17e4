import type { TextSpelling } from '../../../domains/domain.ts';
import type { Engine } from '../../../engine/engine.ts';
import { GOAL_VERBS, type GoalMode, type QuestionLine } from '../questions/question.ts';
import type { Questions } from '../questions/questions.ts';
import { textWords, tokenWords } from './word-source.ts';

/** What a model wrote to reach a goal. */
export interface GoalAnswer {
  /** Its verbs without [end], and the tokens of the last one where that never became whole. */
  answered: string;
  correct: boolean;
}

/**
 * Whether verbs reach a line's goal, the one judge of models and of random answers: the goal holds after the last of them
 * ("a sequence of verbs which results in the assignment at time t + Δt", Demeter and Downey 2021, section 4.1), and each
 * is legal where it stands. In `released` the first verb of a baseball answer may repeat the last one before [sep], as it
 * does in all of the authors' lines: it is then applied whether legal or not, and those behind it must be legal either
 * after it or as the game itself went on, without it. Verbs that no rule checks were rejected: random ones would reach 20
 * in 100 of baseball's goals, of which the paper has 0.4. No verb at all reaches nothing.
 */
export function reachesGoal(questions: Questions, line: QuestionLine, path: Uint16Array, mode: GoalMode): boolean {
  if (path.length === 0) return false;
  const repeats = mode === 'released' && questions.goalModes.includes(mode) && path[0] === line.prefix.at(-1);
  if (!repeats) return questions.agrees({ ...line, path }, 'corrected');
  const [repeat, rest] = [path.slice(0, 1), path.slice(1)];
  const after = { ...line, prefix: Uint16Array.of(...line.prefix, ...repeat), path: rest };
  if (questions.agrees(after, 'corrected')) return true;
  return questions.agrees({ ...line, path }, 'released') && questions.isLegalPath(line.prefix, rest);
}

/**
 * Goal State by greedy decoding (Demeter and Downey 2021, section 5.3): each verb is appended and the next written after
 * it, until [end] or the fifth ("a sequence of up to five moves"); then `reachesGoal` judges. A verb whose tokens never
 * become one is wrong. A model of text writes until the word after the last one begins.
 * @throws RangeError where prompt and verbs do not fit the model's context
 */
export async function answerGoal(
  engine: Engine,
  questions: Questions,
  line: QuestionLine,
  mode: GoalMode,
  text?: TextSpelling,
): Promise<GoalAnswer> {
  const { tokens, end } = questions.vocabulary;
  const { prompt } = questions.encode(line);
  const words = text ? textWords(engine, text, text.spell(prompt)) : tokenWords(engine, tokens, prompt);
  const written: string[] = [];
  let path = new Uint16Array(0);
  try {
    for (let verb = 1; verb <= GOAL_VERBS; verb++) {
      let longer: Uint16Array<ArrayBuffer> | null = null;
      for (let i = 0; i < questions.verbTokens && longer === null; i++) {
        const word = await words.next();
        if (word === tokens[end] && i === 0)
          return { answered: written.join(' '), correct: reachesGoal(questions, line, path, mode) };
        written.push(word);
        if (word === tokens[end]) break;
        const read = questions.readPath(written, line.prefix);
        if (read.ok && read.value.length === verb) longer = Uint16Array.from(read.value);
        else if (read.ok || read.error.code === 'not-a-verb') break;
      }
      if (longer === null) return { answered: written.join(' '), correct: false };
      path = longer;
    }
    return { answered: written.join(' '), correct: reachesGoal(questions, line, path, mode) };
  } finally {
    words.dispose();
  }
}
