import type { Engine } from '../../engine/engine.ts';
import { topTokens } from '../metrics.ts';
import { GOAL_VERBS, type GoalMode, type QuestionLine } from './question.ts';
import type { Questions } from './questions.ts';

/** What a model wrote to reach a goal. */
export interface GoalAnswer {
  /** Its verbs, and the tokens of the last one where that never became whole. */
  answered: string;
  correct: boolean;
}

/**
 * Goal State by greedy decoding (Demeter and Downey 2021, section 5.3): each verb is appended and the next written after
 * it, five at most. Right where the goal holds after any of them, and then no more are written: "up to a maximum of five"
 * says that fewer may do, and in 3 of 100 released chess lines the goal holds before the fifth. What held at [sep] counts
 * for nothing before a verb has been written. As the authors' program only follows verbs, one that the rules forbid does
 * not matter in `released` where it can be followed (baseball), and is wrong where it cannot (chess); `corrected` wants
 * every verb legal. A verb whose tokens never become one is wrong.
 * @throws RangeError where prompt and verbs do not fit the model's context
 */
export async function answerGoal(
  engine: Engine,
  questions: Questions,
  line: QuestionLine,
  mode: GoalMode,
): Promise<GoalAnswer> {
  const writing = engine.continue(questions.encode(line).prompt);
  const told: string[] = [];
  let unread: number | null = null;
  try {
    for (let verb = 1; verb <= GOAL_VERBS; verb++) {
      let path: Uint16Array | null = null;
      for (let i = 0; i < questions.verbTokens && path === null; i++) {
        if (unread !== null) writing.advance(unread);
        [unread] = topTokens(await writing.logits(), 1);
        told.push(questions.vocabulary.tokens[unread]);
        const read = questions.readPath(told, line.prefix);
        if (read.ok && read.value.length === verb) path = read.value;
        else if (read.ok || read.error.code === 'not-a-verb') break;
      }
      if (path === null) return { answered: told.join(' '), correct: false };
      if (questions.agrees({ ...line, path }, mode)) return { answered: told.join(' '), correct: true };
    }
    return { answered: told.join(' '), correct: false };
  } finally {
    writing.dispose();
  }
}
