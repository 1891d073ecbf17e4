import { sink } from '../../../workers/wire.ts';
import type { DataProgress, GamesSummary, OpenedGames } from '../../../workers/data/protocol.ts';
import type { RunRecord, RunStarted, TrainEvent } from '../../../workers/train/protocol.ts';
import { fail, failureOf, ok, type Failure, type Result } from '../../base/result.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { keepWanted, wantedBefore, type BackendName, type DeviceReport } from './device.ts';
import type { PromptAnswer } from '../../probes/prompt-answer.ts';
import type { SelfPlayGame } from '../../probes/self-play.ts';
import { rememberSpeed } from './estimate.ts';
import { PromptState } from './prompt.svelte.ts';
import { RaceState } from './race.svelte.ts';
import { manifestOf, transferred } from './run-games.ts';
import { RunState } from './run.svelte.ts';
import { SelfPlayState } from './self-play.svelte.ts';
import { ShippedModel } from './shipped.svelte.ts';
import { CrashedError, type Job, type Services } from './workers.ts';

/** While training, the prompt is asked again this often (milliseconds), so that the heat moves. */
const ASK_AGAIN = 2000;

/** The page's one door to the workers: runs, devices, prompts and games. */
export class Lab {
  readonly run = new RunState();
  readonly prompt = new PromptState((text) => this.#ask(text));
  readonly selfPlay = new SelfPlayState((seed, onPly) => this.#selfPlay(seed, onPly));
  readonly race = new RaceState(this);
  readonly shipped = new ShippedModel(
    (files) => this.#told(() => this.#services.analyse.open(files)),
    (failure) => this.tell(failure),
  );
  games = $state.raw<GamesSummary[] | null>(null);
  runs = $state.raw<RunRecord[] | null>(null);
  device = $state.raw<DeviceReport | null>(null);
  wanted = $state<BackendName | null>(wantedBefore());
  /** What is being prepared, and how far it is. */
  preparing = $state.raw<DataProgress | null>(null);
  notices = $state<{ id: number; failure: Failure }[]>([]);
  /** What was told last, dismissed or not. */
  lastFailure = $state.raw<Failure | null>(null);
  /** True once there are weights to answer with. */
  hasModel = $state(false);
  interrupted = $derived(
    this.run.active
      ? null
      : (this.runs?.find((run) => run.status === 'interrupted' && !this.#waved.includes(run.id)) ?? null),
  );

  #services: Services;
  #waved = $state.raw<string[]>([]);
  /** Counts attempts to start, so that what a cancelled one still brings is ignored. */
  #attempt = 0;
  #notice = 0;
  #lastAsked = 0;

  constructor(services: (onCrash: (job: Job, words: string) => void) => Services) {
    this.#services = services((job, words) => this.#crashed(job, words));
  }

  /** Opens the shipped model, and reads what this device already has: sets of games, runs and the device itself. */
  async open(): Promise<void> {
    void this.openShipped();
    await this.refreshGames();
    await Promise.all([this.refreshDevice(), this.refreshRuns()]);
  }

  /** Prompts are answered by the shipped model from now on, unless a run is active or begins meanwhile. */
  async openShipped(): Promise<void> {
    if (this.run.active) return;
    this.hasModel = false;
    this.selfPlay.clear();
    await this.shipped.open();
    if (this.shipped.answers) await this.prompt.askNow();
  }

  async refreshGames(): Promise<void> {
    const games = await this.#told(() => this.#services.data.list());
    if (games !== null) this.games = games;
  }

  async refreshRuns(): Promise<void> {
    const runs = await this.#told(() => this.#services.train.runs());
    if (runs !== null) this.runs = runs.toSorted((a, b) => b.updatedAt - a.updatedAt);
  }

  async refreshDevice(): Promise<void> {
    const device = await this.#told(() => this.#services.train.device(this.wanted));
    if (device !== null) this.device = device;
  }

  /** Uses this device from the next start on; null leaves the choice to the page. */
  async want(backend: BackendName | null): Promise<void> {
    this.wanted = backend;
    keepWanted(backend);
    await this.refreshDevice();
  }

  start(config: RunConfig): Promise<void> {
    return this.#launch(config, (games, onEvent) => {
      const complete = { ...config, data: { ...config.data, games: games.summary.key, manifest: manifestOf(games) } };
      return this.#services.train.start(complete, transferred(games), this.wanted, onEvent);
    });
  }

  resume(record: RunRecord): Promise<void> {
    return this.#launch(record.config, async (games, onEvent) => {
      const { manifest } = record.config.data;
      if (manifest !== '' && manifest !== manifestOf(games))
        return fail(
          'other-games',
          `${games.summary.title} is no longer the set that this run was trained on, so it cannot go on as it began.`,
        );
      return this.#services.train.resume(record.id, transferred(games), this.wanted, onEvent);
    });
  }

  pause(): Promise<unknown> {
    return this.#told(() => this.#services.train.pause());
  }

  step(): Promise<unknown> {
    return this.#told(() => this.#services.train.step());
  }

  continue(): Promise<unknown> {
    return this.#told(() => this.#services.train.continue());
  }

  /** Ends the run at a checkpoint, or gives up preparing one. */
  async stop(): Promise<void> {
    if (this.run.record === null) {
      this.#attempt++;
      this.run.status = 'idle';
      this.preparing = null;
      return;
    }
    const { id } = this.run.record;
    await this.#told(() => this.#services.train.stop(id));
    await this.refreshRuns();
  }

  async removeRun(id: string): Promise<void> {
    const removed = await this.#told(() => this.#services.train.remove(id));
    if (removed !== null && !removed.ok) this.tell(removed.error);
    await this.refreshRuns();
  }

  /** The run's weights as a file, or null where it failed (which was told). */
  async export(id: string, form: 'huggingface' | 'safetensors'): Promise<{ name: string; bytes: Uint8Array } | null> {
    const made = await this.#told(() => this.#services.train.export(id, form));
    if (made === null) return null;
    if (made.ok) return made.value;
    this.tell(made.error);
    return null;
  }

  /** Puts the banner about an interrupted run away; the run stays in the list. */
  wave(id: string): void {
    this.#waved = [...this.#waved, id];
  }

  tell(failure: Failure): void {
    this.lastFailure = failure;
    if (this.notices.some((notice) => notice.failure.message === failure.message)) return;
    this.notices.push({ id: ++this.#notice, failure });
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }

  get data(): Services['data'] {
    return this.#services.data;
  }

  get measure(): Services['measure'] {
    return this.#services.measure;
  }

  guard<T>(promise: Promise<T>, job?: 'measure'): Promise<T> {
    return this.#services.guard(promise, job);
  }

  async #launch(
    config: RunConfig,
    launch: (games: OpenedGames, onEvent: (event: TrainEvent) => void) => Promise<Result<RunStarted>>,
  ): Promise<void> {
    const attempt = ++this.#attempt;
    const current = (): boolean => attempt === this.#attempt;
    this.hasModel = false;
    this.shipped.giveWay();
    this.prompt.forget();
    this.selfPlay.clear();
    // A new beginning answers what was told of the last one's end.
    this.notices = this.notices.filter((notice) => notice.failure.code !== 'worker-crashed');
    this.run.prepare('Opening the games');
    this.preparing = { words: 'Opening the games', share: 0, games: 0 };
    try {
      const games = await this.#openGames(config.data.games, current);
      if (!current()) return;
      for (const failure of games.failures) this.tell(failure);
      this.preparing = {
        words: 'Choosing the positions to probe',
        share: null,
        games: games.summary.splits.train?.games ?? 0,
      };
      const { train, dev, probe } = games;
      const references = this.#good(await this.guard(this.#services.analyse.prepare(config, { train, dev, probe })));
      if (!current()) return;
      this.run.references = references.kind === 'board' ? references.scores : null;
      this.run.splatReferences = references.kind === 'splat' ? references.scores : null;
      this.preparing = { words: 'Preparing the model on this device', share: null, games: 0 };
      const onEvent = sink((event: TrainEvent) => {
        if (current()) this.#take(event);
      });
      const started = this.#good(await this.guard(launch(games, onEvent)));
      if (!current()) {
        await this.#services.train.stop(started.record.id);
        return;
      }
      this.run.begin(started);
      this.device = started.device;
      await this.refreshRuns();
    } catch (error) {
      if (!current() || error instanceof CrashedError) return;
      this.run.status = 'failed';
      this.tell(failureOf(error));
    } finally {
      if (current()) this.preparing = null;
    }
  }

  async #openGames(key: string, current: () => boolean): Promise<OpenedGames> {
    const onProgress = sink((progress: DataProgress) => {
      if (current()) this.preparing = progress;
    });
    const opened = await this.guard(this.#services.data.open(key, onProgress));
    return this.#good(opened);
  }

  #good<T>(result: Result<T>): T {
    if (result.ok) return result.value;
    throw Object.assign(new Error(result.error.message), { failure: result.error });
  }

  #take(event: TrainEvent): void {
    this.run.take(event);
    switch (event.kind) {
      case 'status':
        if (event.failure !== null) this.tell(event.failure);
        if (event.status !== 'running' && event.status !== 'preparing') void this.refreshRuns();
        if (event.status === 'finished' || event.status === 'stopped') void this.prompt.askNow();
        break;
      case 'evaluation':
        void this.prompt.askNow();
        void this.selfPlay.next();
        break;
      case 'progress':
        this.#askAgain();
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

  #askAgain(): void {
    if (document.hidden || performance.now() - this.#lastAsked < ASK_AGAIN) return;
    this.#lastAsked = performance.now();
    void this.prompt.askNow();
  }

  #remember(tokensPerSecond: number): void {
    const { record, device } = this.run;
    if (record !== null && device !== null && tokensPerSecond > 0)
      rememberSpeed(record.config, device.backend, tokensPerSecond, this.meanPlies(record.config.data.games));
  }

  /** Mean length of a set's games in plies; 80 while it is not known. */
  meanPlies(key: string): number {
    const train = this.games?.find((games) => games.key === key)?.splits.train;
    return train === undefined || train.games === 0 ? 80 : train.plies / train.games;
  }

  async #ask(text: string): Promise<Result<PromptAnswer> | null> {
    if (!this.hasModel && this.run.record === null && !this.shipped.answers) return null;
    const result = await this.#told(() => this.#services.analyse.ask(text));
    if (result === null) return null;
    if (!result.ok) return result;
    if (result.value === null) return null;
    this.hasModel = true;
    return ok(result.value);
  }

  async #selfPlay(seed: number, onPly: (game: SelfPlayGame) => void): Promise<SelfPlayGame | null> {
    const result = await this.#told(() => this.#services.analyse.selfPlay(seed, sink(onPly)));
    if (result === null) return null;
    if (result.ok) return result.value;
    this.tell(result.error);
    return null;
  }

  /** The answer, or null after telling what went wrong. A crash is told once, where it is noticed. */
  async #told<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await this.guard(ask());
    } catch (error) {
      if (!(error instanceof CrashedError)) this.tell(failureOf(error));
      return null;
    }
  }

  #crashed(job: Job, words: string): void {
    if (job === 'measure') {
      this.tell({
        code: 'worker-crashed',
        message: `Measuring stopped unexpectedly (${words}). Training and prompts go on, and kept assessments are safe; try again, with fewer instances or a smaller model if it happens twice.`,
      });
      return;
    }
    if (job === 'data') {
      this.tell({
        code: 'worker-crashed',
        message: `Reading games stopped unexpectedly (${words}). Nothing that was stored is lost; try again, and with a smaller file if it happens twice.`,
      });
      if (this.run.status === 'preparing') this.#abandon();
      return;
    }
    const { record, savedStep } = this.run;
    const kept =
      record === null
        ? 'Press Train to try again'
        : `Its checkpoint at step ${savedStep} is kept; press Resume to go on from there`;
    this.tell({
      code: 'worker-crashed',
      message: `Training stopped unexpectedly (${words}). ${kept}, and choose a smaller model or batch if it happens twice.`,
    });
    this.hasModel = false;
    this.shipped.giveWay();
    this.#abandon();
    void this.refreshRuns();
  }

  #abandon(): void {
    this.#attempt++;
    this.preparing = null;
    this.run.status = this.run.record === null ? 'idle' : 'interrupted';
  }
}
