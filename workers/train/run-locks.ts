/**
 * Which runs are being trained at this moment, in any tab. A run that the list calls running and that
 * nobody holds was interrupted: its tab was closed or its worker died. A time stamp in the record was
 * rejected: a sleeping laptop would look like a dead tab.
 */
export interface RunLocks {
  /** Holds a run until the returned function is called; null where another tab holds it. */
  hold(id: string): Promise<(() => void) | null>;
  held(): Promise<Set<string>>;
}

const PREFIX = 'blindfold-run:';

/** Web Locks: the browser lets go of them by itself when a worker ends, however it ends. */
export function webLocks(locks: LockManager): RunLocks {
  return {
    hold: (id) =>
      new Promise((resolve) => {
        void locks.request(PREFIX + id, { ifAvailable: true }, (lock) => {
          if (lock === null) {
            resolve(null);
            return;
          }
          return new Promise<void>((release) => resolve(release));
        });
      }),
    async held() {
      const { held = [] } = await locks.query();
      return new Set(
        held
          .map(({ name = '' }) => name)
          .filter((name) => name.startsWith(PREFIX))
          .map((name) => name.slice(PREFIX.length)),
      );
    },
  };
}

/** One thread's own locks, for tests. */
export function memoryLocks(): RunLocks {
  const held = new Set<string>();
  return {
    async hold(id) {
      if (held.has(id)) return null;
      held.add(id);
      return () => held.delete(id);
    },
    held: async () => new Set(held),
  };
}
