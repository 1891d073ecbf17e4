import type { Failure } from '../../base/result.ts';

/** What went wrong or should be known, until it is dismissed. */
export class Notices {
  list = $state<{ id: number; failure: Failure }[]>([]);
  /** What was told last, dismissed or not. */
  last = $state.raw<Failure | null>(null);
  #told = 0;

  tell(failure: Failure): void {
    this.last = failure;
    if (this.list.some((notice) => notice.failure.message === failure.message)) return;
    this.list.push({ id: ++this.#told, failure });
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  /** Dismisses all of a kind. */
  forget(code: string): void {
    this.list = this.list.filter(({ failure }) => failure.code !== code);
  }
}
