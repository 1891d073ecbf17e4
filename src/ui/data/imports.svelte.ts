import { sink } from '../../../workers/wire.ts';
import type { DataProgress, ImportReport } from '../../../workers/data/protocol.ts';
import { OVER_LIMIT } from '../../base/budget.ts';
import { failureOf, type Failure, type Result } from '../../base/result.ts';
import { CrashedError, type Services } from '../session/workers.ts';
import type { GameSets } from '../session/game-sets.svelte.ts';
import type { Notices } from '../session/notices.svelte.ts';

/** What a file may take that is read anyway; a tab has about as much. */
export const ANYWAY_GIGABYTES = 2;

const costs = (failure: Failure | null): boolean => failure?.code === OVER_LIMIT;

/** Games on their way in from a person's files or an address. Lives beyond the page, so that looking elsewhere loses nothing. */
export class Imports {
  progress = $state.raw<DataProgress | null>(null);
  report = $state.raw<ImportReport | null>(null);
  failure = $state.raw<Failure | null>(null);
  name = $state('');
  busy = $derived(this.progress !== null);
  #cancelled = false;
  /** Begins the newest import again, raised to so many gigabytes. */
  #again: (upTo: number) => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly workers: Services,
    private readonly games: GameSets,
    private readonly notices: Notices,
  ) {}

  /** @param domain the game that the files hold */
  files(files: File[], domain: string, upTo: number | null = null): Promise<void> {
    if (files.length === 0) return Promise.resolve();
    const name = files.length === 1 ? files[0].name : `${files.length} files`;
    return this.#take(
      name,
      (onProgress) => this.workers.imports.import(files, domain, onProgress, upTo),
      (more) => this.files(files, domain, more),
    );
  }

  url(url: string, domain: string, upTo: number | null = null): Promise<void> {
    return this.#take(
      url,
      (onProgress) => this.workers.imports.importUrl(url, domain, onProgress, upTo),
      (more) => this.url(url, domain, more),
    );
  }

  /** Reads what was refused for its cost after all. */
  anyway(): Promise<void> {
    return this.#again(ANYWAY_GIGABYTES);
  }

  /** Whether the newest import failed, wholly or in part, because of what a file costs. */
  get costly(): boolean {
    return [this.failure, ...(this.report?.failures ?? [])].some(costs);
  }

  cancel(): Promise<void> {
    this.#cancelled = true;
    return this.workers.cancel('import', () => this.workers.imports.cancel());
  }

  async #take(
    name: string,
    take: (onProgress: (progress: DataProgress) => void) => Promise<Result<ImportReport>>,
    again: (upTo: number) => Promise<void>,
  ): Promise<void> {
    if (this.busy) {
      this.notices.report({
        code: 'import-busy',
        message: `${this.name} is still being read. Bring ${name} again when that is done, or cancel it first.`,
      });
      return;
    }
    this.name = name;
    this.#again = again;
    this.report = null;
    this.failure = null;
    this.#cancelled = false;
    this.progress = { label: 'Starting', share: null, games: 0 };
    try {
      const onProgress = sink((progress: DataProgress) => {
        if (this.busy) this.progress = progress;
      });
      const result = await this.workers.guard(take(onProgress), 'import');
      if (result.ok) this.report = result.value;
      else if (!this.#cancelled) this.failure = result.error;
    } catch (error) {
      if (!(error instanceof CrashedError)) this.failure = failureOf(error);
    } finally {
      this.progress = null;
    }
    await this.games.refresh();
  }
}
