import { openDB, type DBSchema, type IDBPDatabase, type StoreNames } from 'idb';

/** Gives a database of one list, whose rows have ids; it is opened when it is first asked for. */
export function indexedList<Schema extends DBSchema>(
  name: string,
  list: StoreNames<Schema>,
): () => Promise<IDBPDatabase<Schema>> {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  return () =>
    (opening ??= openDB<Schema>(name, 1, {
      upgrade(database) {
        database.createObjectStore(list, { keyPath: 'id' });
      },
    }).catch((error: unknown) => {
      // Storage that failed to open once is asked again.
      opening = null;
      throw error;
    }));
}
