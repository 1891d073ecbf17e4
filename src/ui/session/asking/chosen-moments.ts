/** The first, the newest, and between them those nearest to a tenth and to a third of the newest's step. */
export function chosenMoments<T extends { step: number }>(answers: readonly T[]): T[] {
  const last = answers.at(-1);
  if (!last) return [];
  const nearest = (step: number): T =>
    answers.reduce((best, one) => (Math.abs(one.step - step) < Math.abs(best.step - step) ? one : best));
  return [...new Set([answers[0], nearest(last.step / 10), nearest(last.step / 3), last])];
}
