import type { PastStep } from '../../../../workers/analyse/protocol.ts';
import { sink } from '../../../../workers/wire.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { SelfPlayGame } from '../../../studies/self-play/self-play.ts';
import { DOMAIN_NAMES } from '../../../domains/domains.ts';
import type { RunRecord } from '../../../../workers/train/protocol.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import type { ShippedId } from '../../../config/shipped-ids.ts';
import { readsSquares } from '../../../studies/testbed/reads-squares.ts';
import { chosenMoments } from './chosen-moments.ts';
import type { Notices } from '../notices.svelte.ts';
import type { RunState } from '../runs/run.svelte.ts';
import { ShippedModel } from '../shipped.svelte.ts';
import { livePanels } from '../../../studies/evaluate-run.ts';
import { Moments } from './moments.svelte.ts';
import { PromptState } from './prompt.svelte.ts';
import { SelfPlayState } from './self-play.svelte.ts';
import { TraceState } from './trace.svelte.ts';
import type { Services } from '../workers.ts';

/** While training, what is on show is asked again this often (milliseconds), so that the heat moves. */
const ASK_AGAIN = 2000;

/** Everything that the weights on show, the newest or earlier ones, are asked on the Train page: the prompt, the game in tokens, games of their own. */
export class Answers {
  readonly prompt = new PromptState((text) => this.#answer(() => this.workers.analyse.ask(text, this.#past)));
  readonly trace = new TraceState({
    ask: (domain, line) => this.#answer(() => this.workers.analyse.askTrace(domain, line, this.#past)),
    goOn: (domain, line, options, onEvent) =>
      this.#answer(() => this.workers.analyse.continueTrace(domain, line, options, sink(onEvent), this.#past)),
  });
  readonly selfPlay = new SelfPlayState((seed, onPly) => this.#selfPlay(seed, onPly));
  readonly moments = new Moments((text, step) =>
    this.#answer(() => this.workers.analyse.ask(text, this.#stepOf(step))),
  );
  /** True once there are weights to answer with. */
  hasModel = $state(false);
  /** The page's game: its shipped model answers where no run's does. */
  domain = $state(DOMAIN_NAMES[0]);
  readonly shipped: ShippedModel;
  #lastAsked = 0;

  constructor(
    private readonly run: RunState,
    private readonly workers: Services,
    private readonly notices: Notices,
  ) {
    this.shipped = new ShippedModel(
      (files) => workers.attempt(() => workers.analyse.open(files)),
      (failure) => notices.report(failure),
    );
  }

  /** Prompts are answered by the game's shipped model from now on, unless a run is active or begins meanwhile. */
  async openShipped(id?: ShippedId): Promise<void> {
    if (this.run.active) return;
    this.hasModel = false;
    this.run.past = null;
    this.selfPlay.clear();
    await this.shipped.open(this.domain, id);
    const { record } = this.shipped;
    if (!this.shipped.answers || record === null) return;
    await this.askNow();
    await this.moments.askShipped(livePanels(record.config, null));
  }

  /** A run's model answers from now on. */
  yield(): void {
    this.forget();
    this.shipped.yield();
  }

  /** The worker that answers has died, and its model with it. */
  lose(): void {
    this.hasModel = false;
    this.shipped.yield();
  }

  /** Other weights will answer. */
  forget(): void {
    this.hasModel = false;
    this.prompt.forget();
    this.moments.forgetRun();
    this.trace.question.forget();
    this.selfPlay.clear();
  }

  /** A stored run answers from now on, with its newest weights or those of the step on show. */
  async openRun(record: RunRecord): Promise<void> {
    this.yield();
    const opened = await this.workers.attempt(() => this.workers.analyse.openRun(record.id));
    if (opened !== null && !opened.ok) this.notices.report(opened.error);
    if (!opened?.ok || this.run.record?.id !== record.id) return;
    this.changeStep(record.config);
    const panels = livePanels(record.config, null);
    for (const one of chosenMoments(this.run.snapshots.map((step) => ({ step }))))
      await this.moments.askRun(panels, one.step);
    await this.moments.askRun(panels);
  }

  /** Other weights of the run are on show from now on. */
  changeStep(config: RunConfig): void {
    void this.askNow();
    if (readsSquares(config)) void this.selfPlay.restart();
  }

  /** Asks what is on show; of prompt and game that is one. */
  async askNow(): Promise<void> {
    await Promise.all([this.prompt.askNow(), this.trace.question.askNow()]);
  }

  /** The same, where the last time was a while ago. */
  askAgain(): void {
    if (document.hidden || performance.now() - this.#lastAsked < ASK_AGAIN) return;
    this.#lastAsked = performance.now();
    void this.askNow();
  }

  /** The step of the run that is on show; null where that is now. */
  get #past(): PastStep | null {
    return this.#stepOf(this.run.past);
  }

  #stepOf(step: number | null): PastStep | null {
    const { record } = this.run;
    return record === null || step === null ? null : { run: record.id, step };
  }

  /** What the weights say; null where there are none that can be asked this. */
  async #answer<T>(ask: () => Promise<Result<T | null>>): Promise<Result<T> | null> {
    if (!this.hasModel && this.run.record === null && !this.shipped.answers) return null;
    const result = await this.workers.attempt(ask);
    if (result === null) return null;
    if (!result.ok) return result;
    if (result.value === null) return null;
    this.hasModel = true;
    return ok(result.value);
  }

  async #selfPlay(seed: number, onPly: (game: SelfPlayGame) => void): Promise<SelfPlayGame | null> {
    const past = this.#past;
    // At an earlier step it is one game that is shown, however often one comes back to it.
    const game = past === null ? seed : 1;
    const result = await this.workers.attempt(() => this.workers.analyse.selfPlay(game, sink(onPly), past));
    if (result === null) return null;
    if (result.ok) return result.value;
    this.notices.report(result.error);
    return null;
  }
}
