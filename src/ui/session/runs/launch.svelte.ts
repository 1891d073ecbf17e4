import { sink } from '../../../../workers/wire.ts';
import type { DataProgress } from '../../../../workers/data/protocol.ts';
import type { RunRecord, RunStarted, TrainEvent } from '../../../../workers/train/protocol.ts';
import { failureOf, unwrap, type Failure, type Result } from '../../../base/result.ts';
import { startOf, type RunConfig } from '../../../config/run-config.ts';
import { isShipped } from '../../../config/shipped-ids.ts';
import type { DeviceChoice } from '../device.svelte.ts';
import type { Notices } from '../notices.svelte.ts';
import type { OpenedModels } from '../opened-models.svelte.ts';
import type { RunState } from './run.svelte.ts';
import { fetchShippedFiles, hasShipped } from '../shipped-files.ts';
import { CrashedError, type Services } from '../workers.ts';

/** What the lab (lab.svelte.ts) does on the way. */
export interface LaunchEvents {
  /** Why no run may begin now; null where one may. */
  refusal?(): Failure | null;
  /** A run takes the place of whatever answered prompts. */
  makeRoom(): void;
  /** The run has begun, on this device. */
  begun(started: RunStarted): Promise<void>;
  take(event: TrainEvent): void;
}

/** Brings a run to its first step: has what is asked of it on the way made from held-out games, then has it trained. */
export class Launch {
  /** What is being prepared, and how far it is. */
  preparing = $state.raw<DataProgress | null>(null);
  /** Counts attempts to start, so that what a cancelled one still brings is ignored. */
  #attempt = 0;

  constructor(
    private readonly run: RunState,
    private readonly device: Pick<DeviceChoice, 'wanted'>,
    private readonly services: Services,
    private readonly notices: Notices,
    private readonly opened: Pick<OpenedModels, 'filesOf' | 'tokensOf'>,
    private readonly on: LaunchEvents,
  ) {}

  start(config: RunConfig): Promise<void> {
    const from = startOf(config)?.id ?? '';
    return this.#launch(config, this.opened.tokensOf(from) ?? from, async (onEvent) => {
      const files =
        isShipped(from) && hasShipped(config.domain)
          ? await fetchShippedFiles(config.domain, from)
          : this.opened.filesOf(from);
      return this.services.train.start(config, this.device.wanted, onEvent, files);
    });
  }

  resume(record: RunRecord): Promise<void> {
    return this.#launch(record.config, record.id, (onEvent) =>
      this.services.train.resume(record.id, this.device.wanted, onEvent),
    );
  }

  /** What is under way is given up; what it still brings is ignored. */
  abandon(): void {
    this.#attempt++;
    this.preparing = null;
  }

  async #launch(
    config: RunConfig,
    tokens: Map<string, Uint8Array> | string,
    launch: (onEvent: (event: TrainEvent) => void) => Promise<Result<RunStarted>>,
  ): Promise<void> {
    const refusal = this.on.refusal?.() ?? null;
    if (refusal !== null) return this.notices.report(refusal);
    const run = this.run;
    const services = this.services;
    const attempt = ++this.#attempt;
    const current = (): boolean => attempt === this.#attempt;
    this.on.makeRoom();
    run.prepare('Opening the games');
    this.preparing = { label: 'Opening the games', share: 0, games: 0 };
    try {
      const onProgress = sink((progress: DataProgress) => {
        if (current()) this.preparing = progress;
      });
      const { panels, failures } = unwrap(await services.guard(services.analyse.prepare(config, onProgress, tokens)));
      if (!current()) return;
      for (const failure of failures) this.notices.report(failure);
      run.panels = panels;
      this.preparing = { label: 'Preparing the model on this device', share: null, games: 0 };
      const onEvent = sink((event: TrainEvent) => {
        if (current()) this.on.take(event);
      });
      const started = unwrap(await services.guard(launch(onEvent)));
      if (!current()) {
        await services.train.stop(started.record.id);
        return;
      }
      run.begin(started);
      void keepStorage();
      await this.on.begun(started);
    } catch (error) {
      if (!current() || error instanceof CrashedError) return;
      run.status = 'failed';
      this.notices.report(failureOf(error));
    } finally {
      if (current()) this.preparing = null;
    }
  }
}

/**
 * Asks the browser not to clear this site's storage by itself: a run is there to be kept. Asked at a run rather than as
 * the page opens, since some browsers put the question to the person.
 */
async function keepStorage(): Promise<void> {
  try {
    await navigator.storage.persist();
  } catch {
    // Private windows refuse; the run is then kept as long as they keep anything.
  }
}
