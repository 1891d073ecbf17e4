import { sink } from '../../../workers/wire.ts';
import type { OpenedGames } from '../../../workers/data/protocol.ts';
import type { MeasuredModel, MeasureProgress, MeasureService } from '../../../workers/measure/protocol.ts';
import { fail, type Failure, failureOf, InputError, type Result, unwrap } from '../../base/result.ts';
import type { AssessedModel } from '../../probes/assessment.ts';
import type { Lab } from './lab.svelte.ts';
import { BigbenchState } from './measure-bigbench.svelte.ts';
import { BoardState } from './measure-board.svelte.ts';
import {
  domainOfFiles,
  firstChoice,
  runIdOf,
  runOf,
  savedStepOf,
  SHIPPED_NAME,
  suits,
  type DroppedModel,
  type ModelChoice,
} from './measure-model.ts';
import { RulesState } from './measure-rules.svelte.ts';
import { ScoresState } from './measure-scores.svelte.ts';
import { SplatState } from './measure-splat.svelte.ts';
import { StatesState } from './measure-states.svelte.ts';
import { WhatIfState } from './measure-what-if.svelte.ts';
import { fetchShippedFiles } from './shipped-files.ts';
import { CrashedError } from './workers.ts';

/** Everything that can be asked of a model on the Probe page; each keeps a failure of its own. */
export type MeasureKind =
  | 'open'
  | 'assess'
  | 'map'
  | 'ends'
  | 'what if'
  | 'legal games'
  | 'soundness'
  | 'equivalence'
  | 'bigbench'
  | 'splat'
  | 'states';

export type ProbeTab = 'scores' | 'errors' | 'board' | 'what-if' | 'soundness' | 'bigbench';

/** A long measurement under way. */
export interface MeasureJob {
  kind: MeasureKind;
  words: string;
  /** 0 to 1; null while it is being prepared. */
  share: number | null;
  /** Seconds left, once there is something to judge by. */
  secondsLeft: number | null;
  cancelling: boolean;
}

interface Opened {
  service: MeasureService;
  key: string;
  turn: number;
  opening: Promise<Result<AssessedModel>>;
}

/** Below this share an estimate of the time left would jump about. */
const JUDGED_FROM = 0.02;

/** Which model the Probe page measures, and the one measurement that is under way. */
export class MeasureState {
  tab = $state<ProbeTab>('scores');
  chosen = $state<ModelChoice>('shipped');
  /** The game that it reads. */
  domain = $state('chess');
  /** The files of a model that a person brought. */
  dropped = $state.raw<DroppedModel | null>(null);
  /** What the worker has opened; null while it opens, or where that failed. */
  subject = $state.raw<AssessedModel | null>(null);
  job = $state.raw<MeasureJob | null>(null);
  failures = $state.raw<Partial<Record<MeasureKind, Failure>>>({});
  /** Counts choices, so that views forget what they show of the model before. */
  turn = $state(0);
  readonly lab: Lab;
  readonly scores: ScoresState = new ScoresState(this);
  readonly board: BoardState = new BoardState(this);
  readonly whatIf: WhatIfState = new WhatIfState(this);
  readonly rules: RulesState = new RulesState(this);
  readonly bigbench: BigbenchState = new BigbenchState(this);
  readonly splat: SplatState = new SplatState(this);
  readonly states: StatesState = new StatesState(this);
  #opened: Opened | null = null;

  constructor(lab: Lab) {
    this.lab = lab;
  }

  /** The run that is chosen, or null for models that are no runs. */
  get run(): string | null {
    return runIdOf(this.chosen);
  }

  /** Whether it is asked in SPLAT's words rather than by the testbed's tasks, as far as is known before it is open. */
  get readsWords(): boolean {
    const notation = this.subject?.notation ?? runOf(this.lab, this.chosen)?.config.notation;
    return notation === undefined ? this.domain !== 'chess' : notation === 'splat';
  }

  /** Measures another model from now on; what is under way ends. */
  choose(chosen: ModelChoice): void {
    if (chosen === this.chosen && chosen !== 'files') return;
    this.#turnTo(chosen);
    void this.arrive();
  }

  /** Takes a model's files and measures that. */
  async bring(name: string, files: Map<string, Uint8Array>): Promise<void> {
    this.dropped = { name, files, domain: await domainOfFiles(files) };
    this.choose('files');
  }

  /** The page is looked at, or its game is another: the chosen model is opened, and what is kept of it listed. */
  async arrive(): Promise<void> {
    const listed = this.lab.refreshRuns();
    if (!suits(this.lab, this.chosen, this.domain)) {
      await listed;
      const first = firstChoice(this.lab);
      if (first !== this.chosen || this.domain !== this.lab.domain) this.#turnTo(first);
    }
    await Promise.all([listed, this.open(), this.scores.refresh(), this.splat.refresh()]);
    for (const scores of [this.scores, this.splat]) scores.showNewest();
  }

  #turnTo(chosen: ModelChoice): void {
    this.chosen = chosen;
    const dropped = chosen === 'files' ? this.dropped : null;
    this.domain = dropped?.domain ?? runOf(this.lab, chosen)?.config.domain ?? this.lab.domain;
    this.turn++;
    this.subject = null;
    this.failures = {};
    const parts = [this.scores, this.board, this.whatIf, this.rules, this.bigbench, this.splat, this.states];
    for (const part of parts) part.forget();
    if (this.job !== null) void this.cancel();
  }

  /** Opens the chosen model, so that its description can be shown. */
  async open(): Promise<void> {
    if (this.chosen === 'none') return;
    const turn = this.turn;
    try {
      await this.#open(false);
    } catch (error) {
      if (turn === this.turn && !(error instanceof CrashedError)) this.fail('open', failureOf(error));
    }
  }

  /**
   * Does one long measurement; a second is not begun beside it. Null where it was cancelled, failed (which `failures`
   * then tells) or came too late for the model that is chosen by now.
   */
  async measure<T>(
    kind: MeasureKind,
    work: (service: MeasureService, onProgress: (progress: MeasureProgress) => void) => Promise<Result<T>>,
  ): Promise<T | null> {
    if (this.job !== null) return null;
    const turn = this.turn;
    const started = performance.now();
    this.fail(kind, null);
    this.job = { kind, words: 'Opening the model', share: null, secondsLeft: null, cancelling: false };
    try {
      const service = await this.#open(true);
      const onProgress = sink(({ words, share }: MeasureProgress) => {
        if (this.job === null || this.job.kind !== kind) return;
        const passed = (performance.now() - started) / 1000;
        const secondsLeft = share < JUDGED_FROM ? null : (passed * (1 - share)) / share;
        this.job = { ...this.job, words, share, secondsLeft };
      });
      if (this.job.cancelling) return null;
      const result = await this.lab.guard(work(service, onProgress), 'measure');
      if (turn !== this.turn) return null;
      if (result.ok) return result.value;
      if (result.error.code !== 'cancelled') this.fail(kind, result.error);
      return null;
    } catch (error) {
      const failure = failureOf(error);
      if (turn === this.turn && !(error instanceof CrashedError) && failure.code !== 'cancelled')
        this.fail(kind, failure);
      return null;
    } finally {
      this.job = null;
    }
  }

  /** A short question, also while something long is under way. */
  async ask<T>(kind: MeasureKind, work: (service: MeasureService) => Promise<Result<T>>): Promise<T | null> {
    const turn = this.turn;
    try {
      const service = await this.#open(false);
      const result = await this.lab.guard(work(service), 'measure');
      if (turn !== this.turn) return null;
      this.fail(kind, result.ok ? null : result.error);
      return result.ok ? result.value : null;
    } catch (error) {
      if (turn === this.turn && !(error instanceof CrashedError)) this.fail(kind, failureOf(error));
      return null;
    }
  }

  /** Ends what is under way after the unit of work it is in. */
  async cancel(): Promise<void> {
    if (this.job === null) return;
    this.job = { ...this.job, words: 'Cancelling', cancelling: true };
    try {
      await this.lab.guard(this.lab.measure.cancel(), 'measure');
    } catch {
      // A worker that died has nothing left to cancel, and its death was told.
    }
  }

  /**
   * The games of a set, while a measurement is being prepared.
   * @throws the failure where they cannot be read, and `cancelled` where it has been: the worker knows of nothing yet
   */
  async games(key: string): Promise<OpenedGames> {
    if (this.job !== null) this.job = { ...this.job, words: 'Opening the games' };
    const opened = await this.lab.guard(
      this.lab.data.open(
        key,
        sink(() => {}),
      ),
    );
    if (this.job?.cancelling) throw new InputError(fail('cancelled', 'The measurement was stopped.').error);
    return unwrap(opened);
  }

  /** The worker, with the chosen model in it. `fresh`: of a run in training, its newest checkpoint. */
  async #open(fresh: boolean): Promise<MeasureService> {
    const service = this.lab.measure;
    const held = this.#opened;
    const current = held !== null && held.service === service && held.turn === this.turn;
    const key = this.#key();
    if (!current || (fresh && held.key !== key)) {
      const opening = this.#files().then((model) => this.lab.guard(service.open(model), 'measure'));
      const mine = (this.#opened = { service, key, turn: this.turn, opening });
      opening.then(
        (opened) => this.#took(mine, opened),
        () => this.#took(mine, null),
      );
    }
    unwrap(await this.#opened!.opening);
    return service;
  }

  #took(mine: Opened, opened: Result<AssessedModel> | null): void {
    if (!opened?.ok && this.#opened === mine) this.#opened = null;
    if (mine.turn !== this.turn) return;
    this.subject = opened?.ok ? opened.value : null;
    this.fail('open', opened === null || opened.ok ? null : opened.error);
  }

  /** Changes with each checkpoint of a run. */
  #key(): string {
    const run = runOf(this.lab, this.chosen);
    return run === null ? this.chosen : `${this.chosen}@${savedStepOf(this.lab, run)}`;
  }

  async #files(): Promise<MeasuredModel> {
    const { run } = this;
    if (run !== null) return { kind: 'run', id: run, trainGames: this.#trainGames(run) };
    if (this.chosen === 'files' && this.dropped !== null)
      return { kind: 'files', name: this.dropped.name, files: this.dropped.files };
    return { kind: 'files', name: SHIPPED_NAME, files: await fetchShippedFiles(this.domain) };
  }

  /** How many games the run learns from, where its set is still on this device. */
  #trainGames(run: string): number | null {
    const data = this.lab.runs?.find(({ id }) => id === run)?.config.data;
    const games = this.lab.games?.find(({ key }) => key === data?.games)?.splits.train?.games;
    return games === undefined ? null : Math.min(games, data?.limit ?? games);
  }

  fail(kind: MeasureKind, failure: Failure | null): void {
    this.failures = { ...this.failures, [kind]: failure ?? undefined };
  }
}
