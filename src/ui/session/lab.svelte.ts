import type { DataProgress, GamesSummary } from '../../../workers/data/protocol.ts';
import type { DamagedRun, RunRecord, TrainEvent } from '../../../workers/train/protocol.ts';
import { failureOf, type Failure } from '../../base/result.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { DOMAIN_NAMES } from '../../domains/domains.ts';
import { readsSquares } from '../../studies/testbed/reads-squares.ts';
import { Answers } from './asking/answers.svelte.ts';
import { crashFailure } from './crash-message.ts';
import { keepWanted, wantedBefore, type BackendName, type DeviceReport } from './device.ts';
import { rememberSpeed } from './estimate.ts';
import { Launch } from './launch.svelte.ts';
import { Notices } from './notices.svelte.ts';
import { isPutAway, putAway, putAwayBefore } from './put-away.ts';
import { RunState } from './run.svelte.ts';
import { ShippedModel } from './shipped.svelte.ts';
import { CrashedError, type ApartJob, type Job, type Services } from './workers.ts';

/** Milliseconds. */
const ANSWERS_WITHIN = 1000;

/** The page's one door to the workers: runs, devices, prompts and games. */
export class Lab {
  readonly run = new RunState();
  readonly #answers = new Answers(this, () => this.#services.analyse);
  readonly prompt = this.#answers.prompt;
  readonly trace = this.#answers.trace;
  readonly selfPlay = this.#answers.selfPlay;
  readonly shipped = new ShippedModel(
    (files) => this.told(() => this.#services.analyse.open(files)),
    (failure) => this.tell(failure),
  );
  readonly notices = new Notices();
  /** The game that the page is about: its shipped model answers where no run's does. */
  domain = $state(DOMAIN_NAMES[0]);
  games = $state.raw<GamesSummary[] | null>(null);
  runs = $state.raw<RunRecord[] | null>(null);
  /** Runs that can only be deleted. */
  damagedRuns = $state.raw<DamagedRun[]>([]);
  device = $state.raw<DeviceReport | null>(null);
  wanted = $state<BackendName | null>(wantedBefore());
  interrupted = $derived(
    this.run.active
      ? null
      : (this.runs?.find(
          (run) => run.status === 'interrupted' && !this.#waved.includes(run.id) && !isPutAway(this.#putAway, run),
        ) ?? null),
  );

  #services: Services;
  #launch: Launch;
  #waved = $state.raw<string[]>([]);
  #putAway = $state.raw(putAwayBefore());

  constructor(services: (onCrash: (job: Job, words: string) => void) => Services) {
    this.#services = services((job, words) => this.#crashed(job, words));
    this.#launch = new Launch(this, this.#services, {
      makeRoom: () => this.#makeRoom(),
      begun: async ({ device }) => {
        this.device = device;
        await this.refreshRuns();
      },
      take: (event) => this.#take(event),
    });
  }

  /** True once there are weights to answer with. */
  get hasModel(): boolean {
    return this.#answers.hasModel;
  }

  /** What was told last, dismissed or not. */
  get lastFailure(): Failure | null {
    return this.notices.last;
  }

  /** What is being prepared, and how far it is. */
  get preparing(): DataProgress | null {
    return this.#launch.preparing;
  }

  /** Opens the shipped model, and reads what this device already has: sets of games, runs and the device itself. */
  async open(): Promise<void> {
    void this.openShipped();
    await this.refreshGames();
    await Promise.all([this.refreshDevice(), this.refreshRuns()]);
  }

  /** Turns to another game. What is shown of a run that is over makes room; one that goes on stays. */
  enter(domain: string): void {
    if (domain === this.domain) return;
    this.domain = domain;
    if (this.run.active) return;
    this.run.clear();
    this.#answers.forget();
    void this.openShipped();
  }

  /** Prompts are answered by the game's shipped model from now on, unless a run is active or begins meanwhile. */
  async openShipped(): Promise<void> {
    if (this.run.active) return;
    this.#answers.hasModel = false;
    this.selfPlay.clear();
    await this.shipped.open(this.domain);
    if (this.shipped.answers) await this.#answers.askNow();
  }

  async refreshGames(): Promise<void> {
    const games = await this.told(() => this.#services.data.list());
    if (games !== null) this.games = games;
  }

  async refreshRuns(): Promise<void> {
    const found = await this.told(() => this.#services.train.runs());
    if (found === null) return;
    this.runs = found.runs.toSorted((a, b) => b.updatedAt - a.updatedAt);
    this.damagedRuns = found.damaged;
  }

  async refreshDevice(): Promise<void> {
    const device = await this.told(() => this.#services.train.device(this.wanted));
    if (device !== null) this.device = device;
  }

  /** Uses this device from the next start on; null leaves the choice to the page. */
  async want(backend: BackendName | null): Promise<void> {
    this.wanted = backend;
    keepWanted(backend);
    await this.refreshDevice();
  }

  start(config: RunConfig): Promise<void> {
    return this.#launch.start(config);
  }

  resume(record: RunRecord): Promise<void> {
    return this.#launch.resume(record);
  }

  /** From its first step, for a run of which nothing was kept: its row gives way to the new one. */
  async startAgain({ id, config }: RunRecord): Promise<void> {
    await this.start(config);
    if (this.run.record !== null) await this.removeRun(id);
  }

  pause(): Promise<unknown> {
    return this.told(() => this.#services.train.pause());
  }

  step(): Promise<unknown> {
    return this.told(() => this.#services.train.step());
  }

  continue(): Promise<unknown> {
    return this.told(() => this.#services.train.continue());
  }

  /** Ends the run at a checkpoint, or gives up preparing one. */
  async stop(): Promise<void> {
    if (this.run.record === null) {
      this.#launch.abandon();
      this.run.status = 'idle';
      await this.told(() => this.#services.analyse.cancel());
      return;
    }
    const { id } = this.run.record;
    await this.told(() => this.#services.train.stop(id));
    await this.refreshRuns();
  }

  async removeRun(id: string): Promise<void> {
    const removed = await this.told(() => this.#services.train.remove(id));
    if (removed !== null && !removed.ok) this.tell(removed.error);
    await this.refreshRuns();
  }

  /** The run's weights as a file, or null where it failed (which was told). */
  async export(id: string, form: 'huggingface' | 'safetensors'): Promise<{ name: string; bytes: Uint8Array } | null> {
    const made = await this.told(() => this.#services.train.export(id, form));
    if (made === null) return null;
    if (made.ok) return made.value;
    this.tell(made.error);
    return null;
  }

  /** No banner about this run while the page is open; the run stays in the list. */
  wave(id: string): void {
    this.#waved = [...this.#waved, id];
  }

  /** Puts the banner about an interrupted run away for good; the run stays in the list. */
  putAway(run: RunRecord): void {
    this.#putAway = putAway(this.#putAway, run);
  }

  tell(failure: Failure): void {
    this.notices.tell(failure);
  }

  get data(): Services['data'] {
    return this.#services.data;
  }

  get measure(): Services['measure'] {
    return this.#services.measure;
  }

  get joinGames(): Services['joinGames'] {
    return this.#services.joinGames.bind(this.#services);
  }

  get imports(): Services['imports'] {
    return this.#services.imports;
  }

  guard<T>(promise: Promise<T>, job?: ApartJob): Promise<T> {
    return this.#services.guard(promise, job);
  }

  /** Asks a worker apart to give up what it does, and ends it where it has not answered within a second. */
  async cancel(job: ApartJob, ask: () => Promise<void>): Promise<void> {
    const late = setTimeout(() => this.#services.end(job), ANSWERS_WITHIN);
    try {
      await this.guard(ask(), job);
    } catch {
      // A worker that died has nothing left to cancel.
    } finally {
      clearTimeout(late);
    }
  }

  #makeRoom(): void {
    this.#answers.forget();
    this.shipped.giveWay();
    // A new beginning answers what was told of the last one's end.
    this.notices.forget('worker-crashed');
  }

  #take(event: TrainEvent): void {
    this.run.take(event);
    switch (event.kind) {
      case 'status':
        if (event.failure !== null) this.tell(event.failure);
        if (event.status !== 'running' && event.status !== 'preparing') void this.refreshRuns();
        if (event.status === 'finished' || event.status === 'stopped') void this.#answers.askNow();
        break;
      case 'evaluation':
        void this.#answers.askNow();
        if (this.run.record !== null && readsSquares(this.run.record.config)) void this.selfPlay.next();
        break;
      case 'progress':
        this.#answers.askAgain();
        if (event.step === event.steps || event.step % 100 === 0) this.#remember(event.tokensPerSecond);
        break;
      case 'notice':
        this.tell(event.failure);
        break;
      case 'recovered':
        this.device = event.started.device;
        break;
      case 'checkpoint':
      case 'speed':
        break;
    }
  }

  #remember(tokensPerSecond: number): void {
    const { record, device } = this.run;
    if (record !== null && device !== null && tokensPerSecond > 0)
      rememberSpeed(record.config, device.backend, tokensPerSecond, this.meanPlies(record.config.data.games));
  }

  /** Games that a run of this config learns from; null where its set is not known here. */
  trainGames({ data }: Pick<RunConfig, 'data'>): number | null {
    const train = this.games?.find((games) => games.key === data.games)?.splits.train;
    return train === undefined ? data.limit : Math.min(train.games, data.limit ?? Infinity);
  }

  /** Mean length of a set's games in plies; 80 while it is not known. */
  meanPlies(key: string): number {
    const train = this.games?.find((games) => games.key === key)?.splits.train;
    return train === undefined || train.games === 0 ? 80 : train.plies / train.games;
  }

  /** The answer, or null after telling what went wrong. A crash is told once, where it is noticed. */
  async told<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await this.guard(ask());
    } catch (error) {
      if (!(error instanceof CrashedError)) this.tell(failureOf(error));
      return null;
    }
  }

  #crashed(job: Job, words: string): void {
    this.tell(crashFailure(job, words, this.run));
    if (job === 'measure' || job === 'import') return;
    if (job === 'data') {
      if (this.run.status === 'preparing') this.#abandon();
      return;
    }
    this.#answers.hasModel = false;
    this.shipped.giveWay();
    this.#abandon();
    void this.refreshRuns();
  }

  #abandon(): void {
    this.#launch.abandon();
    this.run.status = this.run.record === null ? 'idle' : 'interrupted';
  }
}
