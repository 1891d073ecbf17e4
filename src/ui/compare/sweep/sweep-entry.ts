import * as v from 'valibot';
import type { RunConfig } from '../../../config/run-config.ts';
import { AssessPlanSchema } from '../../../config/sweep.ts';
import { sameConfig, sortedJson } from '../../session/runs/same-run.ts';

/** One run of a sweep on its way through the queue. Plain JSON, so that it survives a reload. */
export const EntrySchema = v.object({
  id: v.string(),
  name: v.string(),
  config: v.unknown(),
  assess: AssessPlanSchema,
  status: v.picklist(['waiting', 'training', 'measuring', 'assessed', 'failed']),
  /** The run's id, once there is one. */
  run: v.nullable(v.string()),
  /** Why it failed; empty where it did not. */
  failure: v.string(),
  /** How often a worker died over it. */
  crashes: v.number(),
});
export type SweepEntry = Omit<v.InferOutput<typeof EntrySchema>, 'config'> & { config: RunConfig };

/** Nothing is left to do of it. */
export function isOver({ status }: SweepEntry): boolean {
  return status === 'assessed' || status === 'failed';
}

/** The entry being worked on, or the one that comes next; null where all is done. */
export function nextOf(entries: readonly SweepEntry[]): SweepEntry | null {
  const open = entries.filter((entry) => !isOver(entry));
  return open.find(({ status }) => status !== 'waiting') ?? open[0] ?? null;
}

/** Why the queue rests although there is something to do; empty while it works. */
export const RESTS = ['', 'paused', 'stopped by hand', 'from before'] as const;
export type Rest = (typeof RESTS)[number];

/** Whether two entries train the same run and ask the same of it. */
export function sameWork(a: Pick<SweepEntry, 'config' | 'assess'>, b: Pick<SweepEntry, 'config' | 'assess'>): boolean {
  return sameConfig(a.config, b.config) && sortedJson(a.assess) === sortedJson(b.assess);
}
