import { sink } from '../../../workers/wire.ts';
import type { DataProgress, ImportReport } from '../../../workers/data/protocol.ts';
import { failureOf, type Failure, type Result } from '../../base/result.ts';
import { CrashedError } from '../session/workers.ts';
import type { Lab } from '../session/lab.svelte.ts';

/** Games on their way in from a person's files or an address. Lives beyond the page, so that looking elsewhere loses nothing. */
export class Imports {
  progress = $state.raw<DataProgress | null>(null);
  report = $state.raw<ImportReport | null>(null);
  failure = $state.raw<Failure | null>(null);
  name = $state('');
  busy = $derived(this.progress !== null);
  #lab: Lab;
  #cancelled = false;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  /** @param domain the game that the files hold */
  files(files: File[], domain: string): Promise<void> {
    if (files.length === 0) return Promise.resolve();
    const name = files.length === 1 ? files[0].name : `${files.length} files`;
    return this.#take(name, (onProgress) => this.#lab.data.import(files, domain, onProgress));
  }

  url(url: string, domain: string): Promise<void> {
    return this.#take(url, (onProgress) => this.#lab.data.importUrl(url, domain, onProgress));
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    await this.#lab.data.cancel();
  }

  async #take(
    name: string,
    take: (onProgress: (progress: DataProgress) => void) => Promise<Result<ImportReport>>,
  ): Promise<void> {
    if (this.busy) {
      this.#lab.tell({
        code: 'import-busy',
        message: `${this.name} is still being read. Bring ${name} again when that is done, or cancel it first.`,
      });
      return;
    }
    this.name = name;
    this.report = null;
    this.failure = null;
    this.#cancelled = false;
    this.progress = { words: 'Starting', share: null, games: 0 };
    try {
      const onProgress = sink((progress: DataProgress) => {
        if (this.busy) this.progress = progress;
      });
      const result = await this.#lab.guard(take(onProgress));
      if (result.ok) this.report = result.value;
      else if (!this.#cancelled) this.failure = result.error;
    } catch (error) {
      if (!(error instanceof CrashedError)) this.failure = failureOf(error);
    } finally {
      this.progress = null;
    }
    await this.#lab.refreshGames();
  }
}
