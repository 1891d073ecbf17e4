import type { TrainEvent } from '../../../workers/train/protocol.ts';
import type { Failure } from '../../base/result.ts';
import { readsSquares } from '../../studies/testbed/reads-squares.ts';
import { Answers } from './asking/answers.svelte.ts';
import { crashFailure } from './crash-message.ts';
import { DeviceChoice } from './device.svelte.ts';
import { rememberSpeed } from './experiment/estimate.ts';
import { GameSets } from './game-sets.svelte.ts';
import { Launch } from './runs/launch.svelte.ts';
import { LookBack } from './runs/look-back.ts';
import { Notices } from './notices.svelte.ts';
import { OpenedModels } from './opened-models.svelte.ts';
import { RunList } from './runs/run-list.svelte.ts';
import { RunState } from './runs/run.svelte.ts';
import { Training } from './runs/training.svelte.ts';
import { ShippedScores } from './shipped-scores.ts';
import { Workers, type Job, type Services } from './workers.ts';

/** Steps between two notes of how fast training is. */
const REMEMBER_EVERY = 100;

const arenaRefusal: Failure = {
  code: 'arena-active',
  message:
    'Two models are being trained in the arena of the Compare page. Wait for their end or stop them there first.',
};

/** What the pages share, each part a class of its own; here they are joined. */
export class Lab {
  readonly notices = new Notices();
  readonly workers: Services;
  readonly games: GameSets;
  readonly device: DeviceChoice;
  /** The run that is being trained, or was last. */
  readonly run = new RunState();
  readonly shippedScores: ShippedScores;
  readonly runs: RunList;
  readonly training: Training;
  /** Models from files or an address that a run may start from. */
  readonly opened: OpenedModels;
  /** The models that can be asked on the Train page, and what they are asked. */
  readonly answers: Answers;
  readonly lookBack: LookBack;
  /** Whether two models are trained in turns on the Compare page: nothing else trains meanwhile. */
  arenaActive = $state(false);

  constructor() {
    this.workers = new Workers(
      (job, reason) => this.#crashed(job, reason),
      (failure) => this.notices.report(failure),
    );
    const { run, workers, notices } = this;
    this.games = new GameSets(workers);
    this.shippedScores = new ShippedScores(workers, (failure) => notices.report(failure));
    this.opened = new OpenedModels(workers);
    this.device = new DeviceChoice(workers);
    this.runs = new RunList(run, workers, notices);
    this.answers = new Answers(run, workers, notices);
    this.lookBack = new LookBack(run, this.runs, this.answers, notices);
    const launch = new Launch(run, this.device, workers, notices, this.opened, {
      refusal: () => (this.arenaActive ? arenaRefusal : null),
      makeRoom: () => {
        this.answers.yield();
        // A new beginning answers what was reported of the last one's end.
        notices.forget('worker-crashed');
      },
      begun: async ({ device }) => {
        this.device.report = device;
        await this.runs.refresh();
      },
      take: (event) => this.#take(event),
    });
    this.training = new Training(run, launch, this.runs, workers);
  }

  /** The game that the page is about. */
  get domain(): string {
    return this.answers.domain;
  }

  /** Opens the shipped model, and reads what this device already has: sets of games, runs and the device itself. */
  async open(): Promise<void> {
    void this.answers.openShipped();
    await this.games.refresh();
    await Promise.all([this.device.refresh(), this.runs.refresh()]);
  }

  /** Turns to another game. What is shown of a run that is over makes room; one that goes on stays. */
  enter(domain: string): void {
    if (domain === this.domain) return;
    this.answers.domain = domain;
    if (this.run.active) return;
    this.run.clear();
    this.answers.forget();
    void this.answers.openShipped();
  }

  #take(event: TrainEvent): void {
    const { run, answers } = this;
    run.take(event);
    switch (event.kind) {
      case 'status':
        if (event.failure !== null) this.notices.report(event.failure);
        if (event.status !== 'running' && event.status !== 'preparing') void this.runs.refresh();
        if (event.status === 'finished' || event.status === 'stopped') {
          if (run.past === null) void answers.askNow();
          void answers.moments.askRun(run.panels ?? []);
        }
        break;
      case 'evaluation':
        // What one looks back at does not change.
        if (run.past === null) void answers.askNow();
        void answers.moments.askRun(run.panels ?? []);
        if (run.past === null && run.record !== null && readsSquares(run.record.config)) void answers.selfPlay.next();
        break;
      case 'progress':
        if (run.past === null) answers.askAgain();
        void answers.moments.askFirst(run.panels ?? []);
        if (event.step === event.steps || event.step % REMEMBER_EVERY === 0) this.#remember(event.tokensPerSecond);
        break;
      case 'notice':
        this.notices.report(event.failure);
        break;
      case 'recovered':
        answers.moments.forgetRun();
        void answers.askNow();
        this.device.report = event.started.device;
        break;
      case 'snapshots-cleared':
        void answers.askNow();
        break;
      case 'compiling':
      case 'checkpoint':
      case 'snapshot':
      case 'speed':
        break;
    }
  }

  #remember(tokensPerSecond: number): void {
    const { record, device } = this.run;
    if (record !== null && device !== null && tokensPerSecond > 0)
      rememberSpeed(record.config, device.backend, tokensPerSecond, this.games.meanEvents(record.config.data.games));
  }

  #crashed(job: Job, reason: string): void {
    this.notices.report(crashFailure(job, reason, this.run));
    if (job === 'measure' || job === 'import') return;
    if (job === 'data') {
      if (this.run.status === 'preparing') this.training.abandon();
      return;
    }
    this.answers.lose();
    this.training.abandon();
    void this.runs.refresh();
  }
}
