import { sink } from '../../../workers/wire.ts';
import type { FetchProgress } from '../../../workers/data/protocol.ts';
import { OVER_LIMIT } from '../../base/budget.ts';
import { failureOf, type Failure, type Result } from '../../base/result.ts';
import { CrashedError, type Services } from '../session/workers.ts';
import { ANYWAY_GIGABYTES, type ModelFiles } from './model-files.ts';

/** A model on its way from an address. */
export class ModelFetch {
  address = $state('');
  progress = $state.raw<FetchProgress | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly #workers: Pick<Services, 'imports' | 'guard' | 'cancel'>;

  constructor(workers: Pick<Services, 'imports' | 'guard' | 'cancel'>) {
    this.#workers = workers;
  }

  /** Whether the address was refused for its size. */
  get costly(): boolean {
    return this.failure?.code === OVER_LIMIT;
  }

  /** The files at the address; null where it failed, which `failure` then says, or was cancelled. */
  async fetch(anyway = false): Promise<ModelFiles | null> {
    if (this.busy) return null;
    this.busy = true;
    this.failure = null;
    try {
      const onProgress = sink((progress: FetchProgress) => {
        if (this.busy) this.progress = progress;
      });
      const upTo = anyway ? ANYWAY_GIGABYTES : null;
      const fetching = this.#workers.imports.fetchModel(this.address.trim(), onProgress, upTo);
      const found: Result<ModelFiles> = await this.#workers.guard(fetching, 'import');
      if (found.ok) return found.value;
      if (found.error.code !== 'cancelled') this.failure = found.error;
    } catch (error) {
      if (!(error instanceof CrashedError)) this.failure = failureOf(error);
    } finally {
      this.busy = false;
      this.progress = null;
    }
    return null;
  }

  cancel(): Promise<void> {
    return this.#workers.cancel('import', () => this.#workers.imports.cancel());
  }
}
