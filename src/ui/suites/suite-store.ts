import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Suite } from '../../studies/syntaxgym/suite.ts';

/** A suite that a person wrote or opened. */
export interface StoredSuite {
  id: string;
  /** Milliseconds since 1970. */
  editedAt: number;
  suite: Suite;
}

interface Schema extends DBSchema {
  suites: { key: string; value: StoredSuite };
}

/** The suites of this device. */
export interface SuiteStore {
  /** Last edited first. */
  all(): Promise<StoredSuite[]>;
  put(suite: StoredSuite): Promise<unknown>;
  remove(id: string): Promise<unknown>;
}

export function indexedSuites(): SuiteStore {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const open = () =>
    (opening ??= openDB<Schema>('blindfold-suites', 1, {
      upgrade(database) {
        database.createObjectStore('suites', { keyPath: 'id' });
      },
    }).catch((error: unknown) => {
      // Storage that failed to open once is asked again.
      opening = null;
      throw error;
    }));
  return {
    all: async () => (await (await open()).getAll('suites')).sort((a, b) => b.editedAt - a.editedAt),
    put: async (suite) => (await open()).put('suites', suite),
    remove: async (id) => (await open()).delete('suites', id),
  };
}
