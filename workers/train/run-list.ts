import type { DBSchema } from 'idb';
import { indexedList } from '../indexed-list.ts';
import type { RunDescription, RunListing, RunRecord } from './protocol.ts';
import { descriptionIn } from './run-description.ts';
import { damagedRun, parseRunRecord } from './run-record.ts';

interface Schema extends DBSchema {
  runs: { key: string; value: RunRecord };
}

/** The list of runs on this device. Weights are not in it: they lie in checkpoints (OPFS). */
export interface RunList {
  /** Newest first; a row that cannot be used is told of and keeps none of the others back. */
  all(): Promise<RunListing>;
  /** Undefined where there is no such row or it cannot be used. */
  get(id: string): Promise<RunRecord | undefined>;
  /** Name, notes and tags of the row that is there stay: a person may have written them since the record was read. */
  put(record: RunRecord): Promise<void>;
  /** Changes name, notes and tags of the row alone; false where there is none. */
  describe(id: string, description: RunDescription): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** The list in IndexedDB. */
export function indexedRunList(name = 'blindfold'): RunList {
  const open = indexedList<Schema>(name, 'runs');
  return {
    async all() {
      return listing(await (await open()).getAll('runs'));
    },
    async get(id) {
      const run = parseRunRecord(await (await open()).get('runs', id));
      return run.ok ? run.value : undefined;
    },
    async put(record) {
      const { store, done } = (await open()).transaction('runs', 'readwrite');
      const write = async () => store.put({ ...record, ...descriptionIn(await store.get(record.id)) });
      // Both at once: where the browser clears its storage, both fail.
      await Promise.all([write(), done]);
    },
    async describe(id, description) {
      const { store, done } = (await open()).transaction('runs', 'readwrite');
      const write = async (): Promise<boolean> => {
        const row = await store.get(id);
        if (row) await store.put({ ...row, ...description });
        return row !== undefined;
      };
      const [written] = await Promise.all([write(), done]);
      return written;
    },
    async remove(id) {
      await (await open()).delete('runs', id);
    },
  };
}

function listing(rows: readonly unknown[]): RunListing {
  const found: RunListing = { runs: [], damaged: [] };
  for (const row of rows) {
    const run = parseRunRecord(row);
    if (run.ok) found.runs.push(run.value);
    else found.damaged.push(damagedRun(row, run.error.message));
  }
  found.runs.sort((a, b) => b.createdAt - a.createdAt);
  return found;
}

/** The list in memory, for tests and for pages that are denied IndexedDB. */
export function memoryRunList(): RunList {
  const runs = new Map<string, RunRecord>();
  return {
    all: async () => listing([...runs.values()]),
    get: async (id) => runs.get(id),
    async put(record) {
      runs.set(record.id, structuredClone({ ...record, ...descriptionIn(runs.get(record.id)) }));
    },
    async describe(id, description) {
      const row = runs.get(id);
      if (row) runs.set(id, structuredClone({ ...row, ...description }));
      return row !== undefined;
    },
    async remove(id) {
      runs.delete(id);
    },
  };
}
