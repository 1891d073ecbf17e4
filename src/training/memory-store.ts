import type { RunStore } from './checkpoint-store.ts';

/** Checkpoints in memory, for tests and for hosts without storage; `faults` makes it fail as real storage does. */
export class MemoryStore implements RunStore {
  readonly files = new Map<string, Map<string, Uint8Array>>();
  faults: {
    /** Bytes that fit in all; writing more rejects as a browser does. */
    quota?: number;
    /** Keeps only this many bytes of the next write, as a closed tab may. */
    truncateNext?: number;
  } = {};

  async runs(): Promise<string[]> {
    return [...this.files.keys()].filter((id) => this.files.get(id)!.size > 0);
  }

  async list(runId: string): Promise<string[]> {
    return [...(this.files.get(runId)?.keys() ?? [])];
  }

  async read(runId: string, name: string): Promise<Uint8Array> {
    const bytes = this.files.get(runId)?.get(name);
    if (!bytes) throw new Error(`${runId}/${name} is not there`);
    return bytes.slice();
  }

  async write(runId: string, name: string, bytes: Uint8Array): Promise<void> {
    const run = this.files.get(runId) ?? new Map<string, Uint8Array>();
    let used = bytes.length;
    for (const files of this.files.values()) for (const file of files.values()) used += file.length;
    if (this.faults.quota !== undefined && used > this.faults.quota)
      throw new DOMException('quota exceeded', 'QuotaExceededError');
    this.files.set(runId, run);
    run.set(name, bytes.slice(0, this.faults.truncateNext));
    delete this.faults.truncateNext;
  }

  async remove(runId: string, name: string): Promise<void> {
    this.files.get(runId)?.delete(name);
  }
}
