import type { MeasureService, StoredRecord } from '../../../workers/measure/protocol.ts';
import { failureOf, type Failure } from '../../base/result.ts';
import type { ShippedId } from '../../config/shipped-ids.ts';
import { allShipped, fetchShippedRecord, SHIPPED_NAMES } from './shipped-files.ts';
import { CrashedError, type Services } from './workers.ts';

/** What the records of the shipped models tell of them, read once. */
export class ShippedScores {
  #read: Promise<StoredRecord[]> | null = null;

  constructor(
    private readonly workers: Pick<Services, 'guard'> & { measure: Pick<MeasureService, 'readRecord'> },
    private readonly report: (failure: Failure) => void,
    private readonly fetchRecord = fetchShippedRecord,
  ) {}

  /** Of a study, the larger models first; of models whose record cannot be loaded there is nothing. */
  async of(study: string): Promise<StoredRecord[]> {
    this.#read ??= Promise.all(allShipped().map(({ domain, id }) => this.#one(domain, id))).then((all) => all.flat());
    return (await this.#read).filter((one) => one.study === study);
  }

  async #one(domain: string, id: ShippedId): Promise<StoredRecord[]> {
    let bytes: Uint8Array;
    try {
      bytes = await this.fetchRecord(domain, id);
    } catch {
      // Without a network the pages begin without these numbers, and are asked for them again.
      this.#read = null;
      return [];
    }
    try {
      const found = await this.workers.guard(this.workers.measure.readRecord(SHIPPED_NAMES[id], bytes), 'measure');
      if (found.ok) return found.value;
      this.report(found.error);
    } catch (error) {
      if (error instanceof CrashedError) this.#read = null;
      else this.report(failureOf(error));
    }
    return [];
  }
}
