import type { RunConfig } from './run-config.ts';

/** Most bytes that the snapshots of a run may take. */
export const SNAPSHOT_BUDGET = 128e6;
const MOST = 24;
/** Fewer would show no course. */
const FEWEST = 3;

/** Bytes of a snapshot: 16 bits a weight. Names and shapes come on top, some kilobytes. */
const BYTES_A_WEIGHT = 2;

export interface SnapshotPlan {
  /** Steps whose weights are stored, ascending; none where the model is too large for it. */
  steps: readonly number[];
  /** Bytes that all of them take. */
  bytes: number;
}

/**
 * The steps of a run whose weights are stored, so that one can look back at what the model knew then: the first weights,
 * and steps spaced evenly in the logarithm, as learning is, from a hundredth of the run (or the tenth step, whichever
 * comes first) on. Those at least as far as the first evaluation are moved to the nearest one, so that they have scores.
 * The last step is left out: its weights are those of the run. A larger model has fewer, within SNAPSHOT_BUDGET. The
 * plan depends on the config alone, so that a resumed run goes on with it; to thin out a longer list while the run goes
 * on was rejected, since it writes files only to delete them.
 */
export function snapshotPlan(
  { schedule: { steps }, evaluation: { every } }: Pick<RunConfig, 'schedule' | 'evaluation'>,
  parameters: number,
): SnapshotPlan {
  const size = BYTES_A_WEIGHT * parameters;
  const count = Math.min(MOST, Math.floor(SNAPSHOT_BUDGET / size));
  if (count < FEWEST) return { steps: [], bytes: 0 };
  const first = Math.max(1, Math.min(10, steps / 100));
  const chosen = new Set([0]);
  for (let i = 0; i < count - 1; i++) {
    const step = Math.round(first * (steps / first) ** (i / (count - 1)));
    chosen.add(step < every ? step : every * Math.round(step / every));
  }
  const planned = [...chosen].filter((step) => step < steps).sort((a, b) => a - b);
  return { steps: planned, bytes: size * planned.length };
}

/** The part of a plan that a run has stored: what the snapshots of these steps take, in bytes. */
export const snapshotBytes = (parameters: number, snapshots: number): number => BYTES_A_WEIGHT * parameters * snapshots;
