import type { QuestionLine } from './question.ts';
import type { Questions } from './questions.ts';

/** Shares that need no model; null where no line asks for them. */
export interface RandomBaselines {
  legal: number | null;
  assignment: number | null;
  winning: number | null;
}

/**
 * The paper's random baselines (Table 3): an answer drawn from the right answers of the same question among these lines,
 * for baseball of the same question about the same variable (the spread of values differs too much between them). The
 * expected share of such answers that are right, rather than one draw of them. Legal verbs: the expected R-precision of
 * a random order of the vocabulary, which is the mean number of legal next tokens over its size. (For baseball
 * that is 0.034 at the authors' points, where a verb comes next. Their 0.118 is nearer to whole verbs with arguments,
 * substitutions apart: 15.5 of 144 on average.) No baseline of the goal
 * task is given, because how the authors drew theirs is not known.
 */
export function randomBaselines(questions: Questions, lines: readonly QuestionLine[]): RandomBaselines {
  const legal = lines.reduce((sum, line) => sum + questions.legalTokens(line).length, 0);
  return {
    legal: lines.length === 0 ? null : legal / lines.length / questions.vocabulary.size,
    assignment: drawn(lines, 'assignment', ({ args }) => (questions.game === 'baseball' ? args[0] : '')),
    winning: drawn(lines, 'winning', () => ''),
  };
}

function drawn(lines: readonly QuestionLine[], form: string, groupOf: (line: QuestionLine) => string): number | null {
  const groups = new Map<string, Map<string, number>>();
  let n = 0;
  for (const line of lines) {
    if (line.form !== form || line.answer === null) continue;
    n++;
    const group = groups.get(groupOf(line)) ?? new Map<string, number>();
    groups.set(groupOf(line), group.set(line.answer, (group.get(line.answer) ?? 0) + 1));
  }
  if (n === 0) return null;
  let right = 0;
  for (const group of groups.values()) {
    const size = [...group.values()].reduce((sum, count) => sum + count, 0);
    for (const count of group.values()) right += (count * count) / size;
  }
  return right / n;
}
