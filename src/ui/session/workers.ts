import { connect, transferring, type Remote } from '../../../workers/wire.ts';
import type { AnalyseService } from '../../../workers/analyse/protocol.ts';
import type { DataService, GamesReader } from '../../../workers/data/protocol.ts';
import type { MeasureService } from '../../../workers/measure/protocol.ts';
import type { TrainService } from '../../../workers/train/protocol.ts';
import { failureOf, type Failure } from '../../base/result.ts';

/** The services, each made when it is first asked for. */
export interface Services {
  readonly data: DataService;
  /** Reads files in a worker apart, so that ending it ends nothing else. Another object after that. */
  readonly imports: DataService;
  readonly train: TrainService;
  readonly analyse: AnalyseService;
  /** Another object after a crash: what was opened in the one before is gone. */
  readonly measure: MeasureService;
  /**
   * The promise, or a rejection with CrashedError if the worker that owes it dies first. `job` says which that is where
   * it is one that works apart, whose end must end nothing else, and which must not end with the others.
   */
  guard<T>(promise: Promise<T>, job?: ApartJob): Promise<T>;
  /** The answer, or null once a notice says what went wrong. A crash is reported once, where it is noticed. */
  attempt<T>(call: () => Promise<T>): Promise<T | null>;
  /** Asks a worker apart to give up what it does, and ends it where it has not answered within a second. */
  cancel(job: ApartJob, ask: () => Promise<void>): Promise<void>;
  /** The reader, with a port to the data worker that there is now. */
  joinGames<Reader extends GamesReader>(reader: Reader): Reader;
}

export type Job = 'data' | 'train' | 'analyse' | ApartJob;
export type ApartJob = 'measure' | 'import';

/** Who begins anew when one ends: training and analysis share a channel. */
const together: Record<Job, readonly Job[]> = {
  data: ['data'],
  train: ['train', 'analyse'],
  analyse: ['train', 'analyse'],
  measure: ['measure'],
  import: ['import'],
};

export class CrashedError extends Error {
  override readonly name = 'CrashedError';
}

/** Milliseconds. */
const ANSWERS_WITHIN = 1000;

/** Addresses stand as they are, so that the bundler finds the workers. */
const made: Record<Job, () => Worker> = {
  data: () => new Worker(new URL('../../../workers/data/data.worker.ts', import.meta.url), { type: 'module' }),
  train: () => new Worker(new URL('../../../workers/train/train.worker.ts', import.meta.url), { type: 'module' }),
  analyse: () => new Worker(new URL('../../../workers/analyse/analyse.worker.ts', import.meta.url), { type: 'module' }),
  import: () => new Worker(new URL('../../../workers/data/data.worker.ts', import.meta.url), { type: 'module' }),
  measure: () => new Worker(new URL('../../../workers/measure/measure.worker.ts', import.meta.url), { type: 'module' }),
};

/** What each worker serves; the page joins those that read games to the data worker. */
interface ServiceOf {
  data: DataService;
  import: DataService;
  train: TrainService & GamesReader;
  analyse: AnalyseService & GamesReader;
  measure: MeasureService & GamesReader;
}

/**
 * Owns the workers. A worker that dies takes its pending promises with it, so every wait races against
 * the crash; the next question then makes a fresh worker.
 */
export class Workers implements Services {
  #workers = new Map<Job, Worker>();
  #services: { [J in Job]?: Remote<ServiceOf[J]> } = {};
  /** Those with a port to the data worker that there is. */
  #readers = new Set<GamesReader>();
  #waiting = new Set<{ job: ApartJob | undefined; reject: (error: CrashedError) => void }>();
  #games: Pick<Services, 'joinGames'>;

  /** @param games joins readers to a data worker that others use, too; to one of its own where left out */
  constructor(
    private readonly onCrash: (job: Job, reason: string) => void,
    private readonly onFailure: (failure: Failure) => void,
    games?: Pick<Services, 'joinGames'>,
  ) {
    this.#games = games ?? this;
  }

  get data(): DataService {
    return this.#service('data');
  }

  get imports(): DataService {
    return this.#service('import');
  }

  get train(): TrainService {
    return this.#games.joinGames(this.#service('train'));
  }

  get analyse(): AnalyseService {
    return this.#games.joinGames(this.#service('analyse'));
  }

  get measure(): MeasureService {
    return this.joinGames(this.#service('measure'));
  }

  joinGames<Reader extends GamesReader>(reader: Reader): Reader {
    if (this.#readers.has(reader)) return reader;
    this.#readers.add(reader);
    const { port1, port2 } = new MessageChannel();
    void this.data.connect(transferring(port1, [port1]));
    void reader.connectGames(transferring(port2, [port2]));
    return reader;
  }

  guard<T>(promise: Promise<T>, job?: ApartJob): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting = { job, reject };
      this.#waiting.add(waiting);
      promise.then(resolve, reject).finally(() => this.#waiting.delete(waiting));
    });
  }

  async attempt<T>(call: () => Promise<T>): Promise<T | null> {
    try {
      return await this.guard(call());
    } catch (error) {
      if (!(error instanceof CrashedError)) this.onFailure(failureOf(error));
      return null;
    }
  }

  async cancel(job: ApartJob, ask: () => Promise<void>): Promise<void> {
    const late = setTimeout(() => this.#forget(job, 'it was ended'), ANSWERS_WITHIN);
    try {
      await this.guard(ask(), job);
    } catch {
      // A worker that died has nothing left to cancel.
    } finally {
      clearTimeout(late);
    }
  }

  /** Once both are there, a channel of their own, so that weights never pass through the page. */
  #joinAnalyser(): void {
    const { train, analyse } = this.#services;
    if (train === undefined || analyse === undefined) return;
    const { port1, port2 } = new MessageChannel();
    void train.connectAnalyser(transferring(port1, [port1]));
    void analyse.connect(transferring(port2, [port2]));
  }

  #service<J extends Job>(job: J): Remote<ServiceOf[J]> {
    const before = this.#services[job];
    if (before !== undefined) return before;
    const worker = made[job]();
    this.#workers.set(job, worker);
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      if (this.#workers.get(job) === worker) this.#crashed(job, event.message || 'its script could not be loaded');
    });
    const service = connect<ServiceOf[J]>(worker);
    Object.assign(this.#services, { [job]: service });
    if (job === 'train' || job === 'analyse') this.#joinAnalyser();
    return service;
  }

  #crashed(job: Job, reason: string): void {
    this.#forget(job, reason);
    this.onCrash(job, reason);
  }

  /** Ends the workers of a job; the next question makes others. */
  #forget(job: Job, reason: string): void {
    if (job === 'data') {
      // Whoever asks next makes a data worker anew, and has a port to it.
      for (const reader of this.#readers) void reader.connectGames(null);
      this.#readers.clear();
    }
    for (const name of together[job]) {
      this.#workers.get(name)?.terminate();
      this.#workers.delete(name);
      this.#services[name] = undefined;
    }
    const error = new CrashedError(reason);
    for (const waiting of this.#waiting) {
      if (waiting.job !== (job === 'measure' || job === 'import' ? job : undefined)) continue;
      this.#waiting.delete(waiting);
      waiting.reject(error);
    }
  }
}
