import * as v from 'valibot';
import { parseRunConfig } from '../../../config/run-config.ts';
import { AssessPlanSchema } from '../../../config/sweep.ts';
import type { Rest, SweepEntry } from './sweep-entry.ts';

const KEY = 'blindfold.sweep';
/** Set while this tab works on a sweep; the browser keeps it through a reload and forgets it with the tab. */
const HERE = 'blindfold.sweep-here';

const EntrySchema = v.object({
  id: v.string(),
  name: v.string(),
  config: v.unknown(),
  assess: AssessPlanSchema,
  status: v.picklist(['waiting', 'training', 'measuring', 'assessed', 'failed']),
  run: v.nullable(v.string()),
  failure: v.string(),
  crashes: v.number(),
});
const StoredSchema = v.object({
  version: v.literal(1),
  rest: v.picklist(['', 'paused', 'stopped by hand', 'from before']),
  entries: v.array(v.unknown()),
});

/** The queue as this browser kept it. Entries that this build cannot read are left out. */
export function storedSweep(): { entries: SweepEntry[]; rest: Rest } {
  try {
    const stored = v.safeParse(StoredSchema, JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    if (!stored.success) return { entries: [], rest: '' };
    const entries = stored.output.entries.flatMap((one): SweepEntry[] => {
      const entry = v.safeParse(EntrySchema, one);
      const config = entry.success ? parseRunConfig(entry.output.config) : null;
      return entry.success && config?.ok ? [{ ...entry.output, config: config.value }] : [];
    });
    return { entries, rest: stored.output.rest };
  } catch {
    return { entries: [], rest: '' };
  }
}

/** Keeps the queue; false where the browser has no room or keeps nothing. */
export function keepSweep(entries: readonly SweepEntry[], rest: Rest): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: 1, rest, entries }));
    return true;
  } catch {
    return false;
  }
}

/** Whether this very tab was working on the sweep before it was loaded again. */
export function workedHere(): boolean {
  try {
    return sessionStorage.getItem(HERE) !== null;
  } catch {
    return false;
  }
}

export function markHere(working: boolean): void {
  try {
    if (working) sessionStorage.setItem(HERE, 'yes');
    else sessionStorage.removeItem(HERE);
  } catch {
    // Then a reload asks whether to go on.
  }
}
