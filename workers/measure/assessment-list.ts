import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { StoredAssessment } from './protocol.ts';

interface Schema extends DBSchema {
  assessments: { key: string; value: StoredAssessment };
}

/** The assessments that this device keeps, whole: tables are made from them anew each time they are looked at. */
export interface AssessmentList {
  /** Newest first. */
  all(): Promise<StoredAssessment[]>;
  put(assessment: StoredAssessment): Promise<void>;
  remove(id: string): Promise<void>;
}

/**
 * The list in IndexedDB, in a database of its own: one that it shared with the runs could not gain a store while a
 * training worker holds it open.
 */
export function indexedAssessmentList(name = 'blindfold-assessments'): AssessmentList {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const open = () =>
    (opening ??= openDB<Schema>(name, 1, {
      upgrade(database) {
        database.createObjectStore('assessments', { keyPath: 'id' });
      },
    }).catch((error: unknown) => {
      // Storage that failed to open once is asked again.
      opening = null;
      throw error;
    }));
  return {
    all: async () => newestFirst(await (await open()).getAll('assessments')),
    async put(assessment) {
      await (await open()).put('assessments', assessment);
    },
    async remove(id) {
      await (await open()).delete('assessments', id);
    },
  };
}

/** The list in memory, for tests. */
export function memoryAssessmentList(): AssessmentList {
  const kept = new Map<string, StoredAssessment>();
  return {
    all: async () => newestFirst([...kept.values()]),
    async put(assessment) {
      kept.set(assessment.id, structuredClone(assessment));
    },
    async remove(id) {
      kept.delete(id);
    },
  };
}

function newestFirst(list: StoredAssessment[]): StoredAssessment[] {
  return list.sort((a, b) => b.createdAt - a.createdAt);
}
