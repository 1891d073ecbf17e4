import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { StoredAssessment, StoredSplat } from './protocol.ts';

/** What a device keeps by its id, the newest first. */
interface Kept {
  id: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

interface Schema<T> extends DBSchema {
  assessments: { key: string; value: T };
}

/** Assessments that this device keeps, whole: tables are made from them anew each time they are looked at. */
export interface KeptList<T extends Kept> {
  /** Newest first. */
  all(): Promise<T[]>;
  put(assessment: T): Promise<void>;
  remove(id: string): Promise<void>;
}

export type AssessmentList = KeptList<StoredAssessment>;
export type SplatList = KeptList<StoredSplat>;

/** The testbed's in IndexedDB. */
export function indexedAssessmentList(name = 'blindfold-assessments'): AssessmentList {
  return indexed(name);
}

/** SPLAT's in IndexedDB. */
export function indexedSplatList(name = 'blindfold-splat'): SplatList {
  return indexed(name);
}

/**
 * A list in a database of its own: one that it shared with the runs, or with another list, could not gain a store while a
 * worker holds it open.
 */
function indexed<T extends Kept>(name: string): KeptList<T> {
  let opening: Promise<IDBPDatabase<Schema<T>>> | null = null;
  const open = () =>
    (opening ??= openDB<Schema<T>>(name, 1, {
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

/** A list in memory, for tests. */
export function memoryAssessmentList<T extends Kept = StoredAssessment>(): KeptList<T> {
  const kept = new Map<string, T>();
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

function newestFirst<T extends Kept>(list: T[]): T[] {
  return list.sort((a, b) => b.createdAt - a.createdAt);
}
