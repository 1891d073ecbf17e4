import type { Estimate } from '../../../base/statistics.ts';
import type { FigurePoint } from '../../../report/table.ts';

/** A share as the point of a curve in percent; none where it is not known. */
export function percentPoint(step: number, { mean, ci95 }: Estimate): FigurePoint[] {
  if (mean === null) return [];
  return [{ x: step, y: 100 * mean, ci95: ci95 && [100 * ci95[0], 100 * ci95[1]] }];
}
