import { connect, transferring, type Remote } from '../../../workers/wire.ts';
import type { AnalyseService } from '../../../workers/analyse/protocol.ts';
import type { DataService } from '../../../workers/data/protocol.ts';
import type { TrainService } from '../../../workers/train/protocol.ts';

/** The three services, each made when it is first asked for. */
export interface Services {
  readonly data: DataService;
  readonly train: TrainService;
  readonly analyse: AnalyseService;
  /** The promise, or a rejection with CrashedError if the worker that owes it dies first. */
  guard<T>(promise: Promise<T>): Promise<T>;
}

export type Job = 'data' | 'train' | 'analyse';

export class CrashedError extends Error {
  override readonly name = 'CrashedError';
}

/**
 * Owns the workers. A worker that dies takes its pending promises with it, so every wait races against
 * the crash; the next question then makes a fresh worker.
 */
export class Workers implements Services {
  #workers = new Map<Job, Worker>();
  #data: Remote<DataService> | undefined;
  #train: Remote<TrainService> | undefined;
  #analyse: Remote<AnalyseService> | undefined;
  #waiting = new Set<(error: CrashedError) => void>();
  #onCrash: (job: Job, words: string) => void;

  constructor(onCrash: (job: Job, words: string) => void) {
    this.#onCrash = onCrash;
  }

  get data(): DataService {
    this.#data ??= connect<DataService>(
      this.#watched(
        'data',
        new Worker(new URL('../../../workers/data/data.worker.ts', import.meta.url), { type: 'module' }),
      ),
    );
    return this.#data;
  }

  get train(): TrainService {
    if (this.#train === undefined) {
      this.#train = connect<TrainService>(
        this.#watched(
          'train',
          new Worker(new URL('../../../workers/train/train.worker.ts', import.meta.url), { type: 'module' }),
        ),
      );
      this.#join();
    }
    return this.#train;
  }

  get analyse(): AnalyseService {
    if (this.#analyse === undefined) {
      this.#analyse = connect<AnalyseService>(
        this.#watched(
          'analyse',
          new Worker(new URL('../../../workers/analyse/analyse.worker.ts', import.meta.url), { type: 'module' }),
        ),
      );
      this.#join();
    }
    return this.#analyse;
  }

  guard<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      promise.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /** Once both are there, a channel of their own, so that weights never pass through the page. */
  #join(): void {
    if (this.#train === undefined || this.#analyse === undefined) return;
    const { port1, port2 } = new MessageChannel();
    void this.#train.connectAnalyser(transferring(port1, [port1]));
    void this.#analyse.connect(transferring(port2, [port2]));
  }

  #watched(job: Job, worker: Worker): Worker {
    this.#workers.set(job, worker);
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      if (this.#workers.get(job) === worker) this.#crashed(job, event.message || 'its script could not be loaded');
    });
    return worker;
  }

  #crashed(job: Job, words: string): void {
    // Training and analysis share a channel: when one ends, both begin anew.
    if (job === 'data') this.#data = undefined;
    else this.#train = this.#analyse = undefined;
    for (const name of job === 'data' ? (['data'] as const) : (['train', 'analyse'] as const)) {
      this.#workers.get(name)?.terminate();
      this.#workers.delete(name);
    }
    const error = new CrashedError(words);
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
    this.#onCrash(job, words);
  }
}
