import type { FigurePoint } from '../../report/table.ts';

/** A moving mean of the losses of steps 1, 2, …, at no more than `most` steps, the last among them. */
export function movingMean(losses: Float32Array, widest: number, most: number): FigurePoint[] {
  const sums = new Float64Array(losses.length + 1);
  for (const [i, loss] of losses.entries()) sums[i + 1] = sums[i] + loss;
  const points: FigurePoint[] = [];
  const every = Math.ceil(losses.length / most);
  for (let step = losses.length; step > 0; step -= every) {
    // A window that opens with the run: a fixed one would lag behind the first steep fall.
    const window = Math.max(1, Math.round(Math.min(widest, (step - 1) * 0.2)));
    points.push({ x: step, y: (sums[step] - sums[step - window]) / window, ci95: null });
  }
  return points.reverse();
}
