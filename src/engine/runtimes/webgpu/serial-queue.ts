/** Work on the queue in the order of asking: a step that is submitted in slices is not interrupted by another. */
export class SerialQueue {
  private pending = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** Begins at once where nothing is under way, so that what is asked for in one go is submitted in one go. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const begin = async () => work();
    const result = this.pending === 0 ? begin() : this.last.then(begin);
    this.pending++;
    this.last = result.then(
      () => this.pending--,
      () => this.pending--,
    );
    return result;
  }
}
