import type { VariableBelief } from '../../../studies/splat/asking/trace-answer.ts';

/** How a believed value is drawn: fainter where the model is less sure, marked where it is wrong. */
export interface Mark {
  /** The model's probability for it, 0 to 1. */
  sure: number;
  wrong: boolean;
}
export type Marks = Readonly<Record<string, Mark>>;

/** The likeliest value of each variable, and how to draw it. */
export function believed(belief: readonly VariableBelief[]): { values: Record<string, string>; marks: Marks } {
  const values: Record<string, string> = {};
  const marks: Record<string, Mark> = {};
  for (const { variable, truth, values: answers } of belief) {
    if (answers.length === 0) continue;
    const [first] = answers;
    values[variable] = first.value;
    marks[variable] = { sure: first.probability, wrong: first.value !== truth };
  }
  return { values, marks };
}

/** Opacity of something believed with this probability: still to be seen where it is no more than a guess. */
export function strength(mark: Mark | undefined): number {
  return mark === undefined ? 1 : 0.3 + 0.7 * mark.sure;
}
