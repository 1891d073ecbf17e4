import { connect } from '../../../workers/wire.ts';
import type { GamesReader } from '../../../workers/data/protocol.ts';
import type { MeasureService } from '../../../workers/measure/protocol.ts';
import { CrashedError, type Services } from './workers.ts';

interface Running {
  service: MeasureService & GamesReader;
  died: Promise<never>;
  end: () => void;
}

/**
 * A measuring worker beside that of the Probe page. Sharing that one was rejected: a worker holds one model, and each
 * would take the other's away in mid-measurement.
 */
export class MeasuringWorker {
  #running: Running | null = null;

  constructor(private readonly workers: Pick<Services, 'joinGames'>) {}

  /** What the work comes to; rejects with CrashedError if the worker dies first. */
  async ask<T>(work: (service: MeasureService) => Promise<T>): Promise<T> {
    const { service, died } = (this.#running ??= this.#start());
    this.workers.joinGames(service);
    return Promise.race([work(service), died]);
  }

  cancel(): void {
    void this.#running?.service.cancel();
  }

  /** Lets the worker and its memory go; the next question starts another. */
  rest(): void {
    this.#running?.end();
    this.#running = null;
  }

  #start(): Running {
    const worker = new Worker(new URL('../../../workers/measure/measure.worker.ts', import.meta.url), {
      type: 'module',
    });
    const died = new Promise<never>((_, reject) =>
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        this.rest();
        reject(new CrashedError(event.message || 'its script could not be loaded'));
      }),
    );
    // Where nothing waits for it, its death is no news.
    died.catch(() => undefined);
    return { service: connect<MeasureService & GamesReader>(worker), died, end: () => worker.terminate() };
  }
}
