import type { RunConfig } from '../../../config/run-config.ts';
import type { AssessPlan } from '../../../config/sweep.ts';
import { sameConfig, sortedJson } from '../../session/runs/same-run.ts';

export type EntryStatus = 'waiting' | 'training' | 'measuring' | 'assessed' | 'failed';

/** One run of a sweep on its way through the queue. Plain JSON, so that it survives a reload. */
export interface SweepEntry {
  id: string;
  name: string;
  config: RunConfig;
  assess: AssessPlan;
  status: EntryStatus;
  /** The run's id, once there is one. */
  run: string | null;
  /** Why it failed; empty where it did not. */
  failure: string;
  /** How often a worker died over it. */
  crashes: number;
}

/** Why the queue rests although there is something to do; empty while it works. */
export type Rest = '' | 'paused' | 'stopped by hand' | 'from before';

/** Whether two entries train the same run and ask the same of it. */
export function sameWork(a: Pick<SweepEntry, 'config' | 'assess'>, b: Pick<SweepEntry, 'config' | 'assess'>): boolean {
  return sameConfig(a.config, b.config) && sortedJson(a.assess) === sortedJson(b.assess);
}
