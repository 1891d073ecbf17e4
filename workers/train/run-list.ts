import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { parseRunConfig } from '../../src/config/run-config.ts';
import type { RunRecord } from './protocol.ts';

interface Schema extends DBSchema {
  runs: { key: string; value: RunRecord };
}

/** The list of runs on this device. Weights are not in it: they lie in checkpoints (OPFS). */
export interface RunList {
  all(): Promise<RunRecord[]>;
  get(id: string): Promise<RunRecord | undefined>;
  put(record: RunRecord): Promise<void>;
  remove(id: string): Promise<void>;
}

/** The list in IndexedDB, newest run first. */
export function indexedRunList(name = 'blindfold'): RunList {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const open = () =>
    (opening ??= openDB<Schema>(name, 1, {
      upgrade(database) {
        database.createObjectStore('runs', { keyPath: 'id' });
      },
    }).catch((error: unknown) => {
      // Storage that failed to open once is asked again.
      opening = null;
      throw error;
    }));
  return {
    async all() {
      const runs = await (await open()).getAll('runs');
      return runs.map(withWholeConfig).sort((a, b) => b.createdAt - a.createdAt);
    },
    async get(id) {
      const run = await (await open()).get('runs', id);
      return run && withWholeConfig(run);
    },
    async put(record) {
      await (await open()).put('runs', record);
    },
    async remove(id) {
      await (await open()).delete('runs', id);
    },
  };
}

/** Configs that were kept before a field was known get it, so that two of the same run are alike. */
function withWholeConfig(run: RunRecord): RunRecord {
  const config = parseRunConfig(run.config);
  return config.ok ? { ...run, config: config.value } : run;
}

/** The list in memory, for tests and for pages that are denied IndexedDB. */
export function memoryRunList(): RunList {
  const runs = new Map<string, RunRecord>();
  return {
    all: async () => [...runs.values()].sort((a, b) => b.createdAt - a.createdAt),
    get: async (id) => runs.get(id),
    async put(record) {
      runs.set(record.id, structuredClone(record));
    },
    async remove(id) {
      runs.delete(id);
    },
  };
}
