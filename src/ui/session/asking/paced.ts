/**
 * Shows values that come faster than can be looked at: the newest once in so many milliseconds, and the last at once.
 * @param show what a value is handed to
 */
export function paced<T>(milliseconds: number, show: (value: T) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest: T;
  const drop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    /** Shows it, or a newer one, when the time is over. */
    soon(value: T): void {
      newest = value;
      timer ??= setTimeout(() => {
        timer = undefined;
        show(newest);
      }, milliseconds);
    },
    /** Shows it now, instead of what was to come. */
    now(value: T): void {
      drop();
      show(value);
    },
    /** Forgets what was to come. */
    drop,
  };
}
