import type { DBSchema } from 'idb';
import { indexedList } from '../indexed-list.ts';
import type { StoredRecord } from './protocol.ts';

interface Schema extends DBSchema {
  assessments: { key: string; value: StoredRecord };
}

/** Assessments of one study that this device keeps, whole: tables are made from them anew each time they are looked at. */
export interface AssessmentList {
  /** Newest first. */
  all(): Promise<StoredRecord[]>;
  put(assessment: StoredRecord): Promise<void>;
  remove(id: string): Promise<void>;
}

/** A list for each study, by its name. */
export type AssessmentLists = (study: string) => AssessmentList;

/** The testbed's list is older than the other studies. */
const DATABASES: Readonly<Record<string, string>> = { testbed: 'blindfold-assessments' };

/** In IndexedDB, each list in a database of its own: one that is shared could not gain a store while a worker holds it open. */
export const indexedAssessmentLists = (): AssessmentLists =>
  listsOf((study) => indexed(study, DATABASES[study] ?? `blindfold-${study}`));

/** One list a study, made when it is first asked for. */
function listsOf(make: AssessmentLists): AssessmentLists {
  const lists = new Map<string, AssessmentList>();
  return (study) => {
    const list = lists.get(study) ?? make(study);
    lists.set(study, list);
    return list;
  };
}

function indexed(study: string, name: string): AssessmentList {
  const open = indexedList<Schema>(name, 'assessments');
  return {
    all: async () => newestFirst((await (await open()).getAll('assessments')).map((one) => upToDate(one, study))),
    async put(assessment) {
      await (await open()).put('assessments', assessment);
    },
    async remove(id) {
      await (await open()).delete('assessments', id);
    },
  };
}

/** Records of before there were several studies do not name theirs, and SPLAT's had what distances need beside the assessment. */
function upToDate(record: StoredRecord & { distancesNeed?: string }, study: string): StoredRecord {
  const { distancesNeed, ...rest } = record;
  if (distancesNeed === undefined) return { ...rest, study };
  return { ...rest, study, assessment: { distancesNeed, ...rest.assessment } as StoredRecord['assessment'] };
}

/** Lists in memory, for tests. */
export const memoryAssessmentLists = (): AssessmentLists => listsOf(inMemory);

function inMemory(): AssessmentList {
  const stored = new Map<string, StoredRecord>();
  return {
    all: async () => newestFirst([...stored.values()]),
    async put(assessment) {
      stored.set(assessment.id, structuredClone(assessment));
    },
    async remove(id) {
      stored.delete(id);
    },
  };
}

function newestFirst(list: StoredRecord[]): StoredRecord[] {
  return list.sort((a, b) => b.createdAt - a.createdAt);
}
