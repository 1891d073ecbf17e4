import * as v from 'valibot';
import { parseRunConfig } from '../../../config/run-config.ts';
import { keep, kept } from '../../session/kept.ts';
import { EntrySchema, RESTS, type Rest, type SweepEntry } from './sweep-entry.ts';

const KEY = 'blindfold.sweep';
/** Set while this tab works on a sweep; the browser keeps it through a reload and forgets it with the tab. */
const HERE = 'blindfold.sweep-here';

const StoredSchema = v.object({ version: v.literal(1), rest: v.picklist(RESTS), entries: v.array(v.unknown()) });

/** The queue as this browser kept it. Entries that this build cannot read are left out. */
export function storedSweep(): { entries: SweepEntry[]; rest: Rest } {
  try {
    const { rest, entries } = v.parse(StoredSchema, JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    const read = entries.flatMap((one): SweepEntry[] => {
      const entry = v.safeParse(EntrySchema, one);
      const config = entry.success ? parseRunConfig(entry.output.config) : null;
      return entry.success && config?.ok ? [{ ...entry.output, config: config.value }] : [];
    });
    return { entries: read, rest };
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
  return kept(HERE, 'sessionStorage') !== null;
}

/** Where the tab keeps nothing, a reload asks whether to go on. */
export function markHere(working: boolean): void {
  keep(HERE, working ? 'yes' : null, 'sessionStorage');
}
