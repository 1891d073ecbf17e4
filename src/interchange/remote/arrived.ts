/** What has arrived of one file. A transfer that broke off goes on behind it. */
export class Arrived {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** Bytes that are there. */
  length = 0;
  /** Bytes that the whole has; null where the server does not say. */
  total: number | null = null;
  /** What names this state of the file: its strong entity tag, or else its date. Null where it has neither. */
  validator: string | null = null;
  /** Whether all of it is there. */
  whole = false;

  /** Begins anew, for a file of so many bytes. */
  begin(total: number | null, validator: string | null): void {
    this.#bytes = new Uint8Array(0);
    this.length = 0;
    this.total = total;
    this.validator = validator;
    this.whole = false;
  }

  add(chunk: Uint8Array): void {
    const needed = this.length + chunk.length;
    if (needed > this.#bytes.length) {
      const room = this.total !== null && needed <= this.total ? this.total : Math.max(needed, 2 * this.#bytes.length);
      const bytes = new Uint8Array(room);
      bytes.set(this.#bytes.subarray(0, this.length));
      this.#bytes = bytes;
    }
    this.#bytes.set(chunk, this.length);
    this.length = needed;
  }

  /** The file, in memory of its own. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.length === this.length ? this.#bytes : this.#bytes.slice(0, this.length);
  }
}
