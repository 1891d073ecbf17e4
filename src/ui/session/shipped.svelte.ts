import type { TrainingRecord } from '../../../workers/analyse/protocol.ts';
import { failureOf, type Failure, type Result } from '../../base/result.ts';
import type { ShippedId } from '../../config/shipped-ids.ts';
import {
  fetchShippedFiles,
  hasShipped,
  NO_ANSWER,
  ON_SLOW_LINES,
  preferredShipped,
  shippedIds,
} from './shipped-files.ts';

/** The trained model that comes with the lab for a game: it answers when the page opens, until a run takes its place. */
export class ShippedModel {
  status = $state<'unopened' | 'opening' | 'answering' | 'replaced' | 'failed'>('unopened');
  record = $state.raw<TrainingRecord | null>(null);
  /** The game of the model opened last. */
  domain = $state('');
  /** Which of the game's models that is. */
  id = $state<ShippedId>('shipped');
  answers = $derived(this.status === 'answering');

  /** Counts beginnings, so that what was fetched for an earlier one is dropped. */
  #attempt = 0;

  /** @param openFiles gives the files to the worker that answers; null where it failed and that was reported elsewhere */
  constructor(
    private readonly openFiles: (files: Map<string, Uint8Array>) => Promise<Result<TrainingRecord> | null>,
    private readonly report: (failure: Failure) => void,
  ) {}

  /**
   * Fetches the game's folder and has it opened. Where that fails, the reason is reported and the lab goes on without; of a
   * game that none ships for, nothing is opened.
   */
  async open(domain: string, id: ShippedId = preferredShipped(domain)): Promise<void> {
    const attempt = ++this.#attempt;
    this.domain = domain;
    this.id = id;
    if (!hasShipped(domain)) {
      this.status = 'unopened';
      return;
    }
    this.status = 'opening';
    const opened = await this.#opened(() => attempt === this.#attempt);
    // Without a network there is the one for slow lines; the others only where they were used before.
    if (attempt !== this.#attempt) return;
    const another = id !== ON_SLOW_LINES && shippedIds(domain).includes(ON_SLOW_LINES);
    if (another && opened?.ok === false && opened.error.code === NO_ANSWER) return this.open(domain, ON_SLOW_LINES);
    if (opened?.ok) this.record = opened.value;
    this.status = opened?.ok ? 'answering' : 'failed';
    if (opened === null || opened.ok) return;
    this.report({
      ...opened.error,
      message: `The model that comes with the lab could not be opened: ${opened.error.message} Everything else works without it; press Train for a model of your own.`,
    });
  }

  /** A run's model answers from now on. */
  yield(): void {
    this.#attempt++;
    this.status = 'replaced';
  }

  async #opened(current: () => boolean): Promise<Result<TrainingRecord> | null> {
    try {
      const files = await fetchShippedFiles(this.domain, this.id);
      return current() ? await this.openFiles(files) : null;
    } catch (error) {
      return { ok: false, error: failureOf(error) };
    }
  }
}
