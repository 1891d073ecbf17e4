import { tellingDomain } from '../../../workers/measure/domain-of-files.ts';
import { runStudy, type CrossingStudy, type MeasureService, type Outcome } from '../../../workers/measure/protocol.ts';
import { fail, failureOf, ok, unwrap, type Failure, type Result } from '../../base/result.ts';
import { DOMAIN_NAMES } from '../../domains/domains.ts';
import { storedStudies } from '../../studies/studies.ts';
import type { Study } from '../../studies/study.ts';
import type { AssessedModel } from '../../studies/subject-schema.ts';
import { firstPreset } from '../session/experiment/game-setup.ts';
import type { Linked } from '../session/experiment/address.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { MeasureJob, type MeasureKind } from './job.svelte.ts';
import { BoardState } from './board-map/board-map.svelte.ts';
import {
  firstChoice,
  pastStepsOf,
  runIdOf,
  runOf,
  suits,
  type DroppedModel,
  type ModelChoice,
} from './model-choice.ts';
import { Opening } from './opening.ts';
import { StatesState } from './splat/states.svelte.ts';
import { StudyState } from './study/study.svelte.ts';
import { WhatIfState } from './what-if/what-if.svelte.ts';
import { CrashedError } from '../session/workers.ts';

/** As the worker says it of what was ended. */
const cancelled = fail('cancelled', 'The measurement was stopped.');

/** Which model the Probe page measures, and the one measurement that is under way. */
export class MeasureState {
  /** The tab that is looked at, as tabs.ts names it. */
  tab = $state('');
  chosen = $state<ModelChoice>('shipped');
  /** The stored step of a run that is measured; null for its newest checkpoint. */
  step = $state<number | null>(null);
  /** The game that it reads. */
  domain = $state(DOMAIN_NAMES[0]);
  /** The files of a model that a person brought. */
  dropped = $state.raw<DroppedModel | null>(null);
  /** What the worker has opened; null while it opens, or where that failed. */
  subject = $state.raw<AssessedModel | null>(null);
  job = $state.raw<MeasureJob | null>(null);
  failures = $state.raw<Partial<Record<MeasureKind, Failure>>>({});
  /** Counts choices, so that views forget what they show of the model before. */
  turn = $state(0);
  readonly lab: Lab;
  readonly board: BoardState = new BoardState(this);
  readonly whatIf: WhatIfState = new WhatIfState(this);
  readonly states: StatesState = new StatesState(this);
  /** Where lines are looked at, by the names of tabs. */
  readonly places: Readonly<Record<string, Linked | undefined>> = {
    board: this.board,
    'what-if': this.whatIf,
    state: this.states,
  };
  /** Of each study whose assessments are kept, by its name. */
  readonly studies: Readonly<Record<string, StudyState>>;
  /** Whether a person chose the model; until then the page follows what was trained. */
  #picked = false;
  readonly #opening = new Opening((turn, opened) => this.#took(turn, opened));

  constructor(lab: Lab) {
    this.lab = lab;
    this.studies = Object.fromEntries(storedStudies().map((study) => [study.name, new StudyState(this, study)]));
  }

  /** What an address says of the model: a run after an earlier step, and nothing of any other. */
  get link(): string {
    const { run, step } = this;
    return run === null || step === null ? '' : new URLSearchParams({ run, step: String(step) }).toString();
  }

  /** Takes the run and the step that an address names, where it names both. */
  async openLink(params: URLSearchParams): Promise<void> {
    const [id, step] = [params.get('run'), params.get('step')];
    if (id === null || step === null) return;
    if (this.lab.runs.list === null) await this.lab.runs.refresh();
    const run = this.lab.runs.named(id);
    const stored = run && pastStepsOf(this.lab, run).find((one) => String(one) === step);
    if (run && stored !== undefined && stored !== null) this.choose(`run:${run.id}`, stored);
    else
      this.lab.notices.report({
        code: 'link-run',
        message: 'The step of the run in the link is not stored on this device; choose a model below.',
      });
  }

  /** The run that is chosen, or null for models that are no runs. */
  get run(): string | null {
    return runIdOf(this.chosen);
  }

  /** Whether the chosen model has learned to answer questions. */
  get fineTuned(): boolean {
    return Boolean(this.subject?.fineTuning);
  }

  /** The game and the notation of the chosen model, as far as they are known before it is open. */
  get reads(): { domain: string; notation: string } {
    const notation = this.subject?.notation ?? runOf(this.lab, this.chosen)?.config.notation;
    return { domain: this.domain, notation: notation ?? firstPreset(this.domain).config.notation };
  }

  /** Measures another model from now on; what is under way ends. */
  choose(chosen: ModelChoice, step: number | null = null): void {
    this.#picked = true;
    if (chosen === this.chosen && step === this.step && chosen !== 'files') return;
    this.#turnTo(chosen, step);
    void this.arrive();
  }

  /** Takes a model's files and measures that. */
  async bring(name: string, files: Map<string, Uint8Array>): Promise<void> {
    try {
      const domain = await this.lab.workers.guard(this.lab.workers.measure.domainOf(tellingDomain(files)), 'measure');
      this.dropped = { name, files, domain: domain ?? DOMAIN_NAMES[0] };
      this.choose('files');
    } catch (error) {
      if (!(error instanceof CrashedError)) throw error;
    }
  }

  /** The page is looked at, or its game is another: the chosen model is opened, and what is kept of it listed. */
  async arrive(): Promise<void> {
    const listed = this.lab.runs.refresh();
    const isStale = (): boolean => (!this.#picked && this.job === null) || !suits(this.lab, this.chosen, this.domain);
    if (isStale()) await listed;
    // A person or an address may have chosen meanwhile.
    if (isStale()) {
      const first = firstChoice(this.lab);
      if (first !== this.chosen || this.domain !== this.lab.domain) this.#turnTo(first);
    }
    const lists = Object.values(this.studies);
    await Promise.all([listed, this.open(), ...lists.map((list) => list.refresh())]);
    for (const list of lists) list.showNewest();
  }

  #turnTo(chosen: ModelChoice, step: number | null = null): void {
    this.chosen = chosen;
    this.step = step;
    const dropped = chosen === 'files' ? this.dropped : null;
    this.domain = dropped?.domain ?? runOf(this.lab, chosen)?.config.domain ?? this.lab.domain;
    this.turn++;
    this.subject = null;
    this.failures = {};
    for (const part of [this.board, this.whatIf, this.states, ...Object.values(this.studies)]) part.forget();
    if (this.job !== null) void this.cancel();
  }

  /** Opens the chosen model, so that its description can be shown. */
  async open(): Promise<void> {
    if (this.chosen !== 'none') await this.#answered('open', false, () => Promise.resolve(ok(null)));
  }

  /**
   * Asks a study; a second long one is not begun beside it. `games` is the key of a set, or null where the study needs
   * none. Null where it was cancelled, failed (which `failures` then tells) or came too late for the model that is chosen
   * by now.
   */
  async ask<Settings extends object, Assessment>(
    crossing: CrossingStudy<Settings, Assessment>,
    settings: Partial<Settings>,
    games: string | null = null,
  ): Promise<Outcome<Assessment> | null> {
    const study: Study<Settings, Assessment> = crossing;
    const { name } = study;
    if (study.brief) {
      const answer = await this.#answered(name, false, (service) => runStudy(service, study, settings, games));
      if (answer !== null) this.fail(name, null);
      return answer;
    }
    if (this.job !== null) return null;
    this.fail(name, null);
    const job = (this.job = new MeasureJob(name));
    const outcome = await this.#answered(name, true, async (service) =>
      job.cancelling ? cancelled : runStudy(service, study, settings, games, (progress) => job.take(progress)),
    );
    this.job = null;
    if (outcome?.notStored) this.fail(name, outcome.notStored);
    return outcome;
  }

  /** What the chosen model is asked; null where that failed, or is late. `fresh`: a newer checkpoint is opened first. */
  async #answered<T>(
    kind: MeasureKind,
    fresh: boolean,
    work: (service: MeasureService) => Promise<Result<T>>,
  ): Promise<T | null> {
    const turn = this.turn;
    try {
      const service = await this.#open(fresh);
      const answer = unwrap(await this.lab.workers.guard(work(service), 'measure'));
      return turn === this.turn ? answer : null;
    } catch (error) {
      const failure = failureOf(error);
      if (turn === this.turn && !(error instanceof CrashedError) && failure.code !== cancelled.error.code)
        this.fail(kind, failure);
      return null;
    }
  }

  /** Ends what is under way after the unit of work it is in. */
  async cancel(): Promise<void> {
    if (this.job === null) return;
    this.job.cancel();
    try {
      await this.lab.workers.guard(this.lab.workers.measure.cancel(), 'measure');
    } catch {
      // A worker that died has nothing left to cancel, and its death was told.
    }
  }

  async #open(fresh: boolean): Promise<MeasureService> {
    const { lab, chosen, turn, step } = this;
    const { service, opening } = this.#opening.open(
      { lab, chosen, turn, step, domain: this.domain, dropped: this.dropped },
      fresh,
    );
    unwrap(await opening);
    return service;
  }

  /** What the worker has opened, or why it could not. */
  #took(turn: number, opened: Result<AssessedModel> | null): void {
    if (turn !== this.turn) return;
    this.subject = opened?.ok ? opened.value : null;
    this.fail('open', opened === null || opened.ok ? null : opened.error);
  }

  fail(kind: MeasureKind, failure: Failure | null): void {
    this.failures = { ...this.failures, [kind]: failure ?? undefined };
  }
}
