import type { Failure } from '../../base/result.ts';

/** What went wrong or should be known, until it is dismissed. */
export class Notices {
  list = $state<{ id: number; failure: Failure }[]>([]);
  /** What was reported last, dismissed or not. */
  last = $state.raw<Failure | null>(null);
  #reported = 0;

  report(failure: Failure): void {
    this.last = failure;
    if (this.list.some((notice) => notice.failure.message === failure.message)) return;
    this.list.push({ id: ++this.#reported, failure });
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  /** Dismisses all of a kind. */
  forget(code: string): void {
    this.list = this.list.filter(({ failure }) => failure.code !== code);
  }
}
