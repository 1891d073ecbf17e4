import { sink } from '../../../../workers/wire.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { SelfPlayGame } from '../../../studies/self-play/self-play.ts';
import { DOMAIN_NAMES } from '../../../domains/domains.ts';
import type { Notices } from '../notices.svelte.ts';
import type { RunState } from '../run.svelte.ts';
import { ShippedModel } from '../shipped.svelte.ts';
import { livePanels } from '../../../studies/evaluate-run.ts';
import { Moments } from './moments.svelte.ts';
import { PromptState } from './prompt.svelte.ts';
import { SelfPlayState } from './self-play.svelte.ts';
import { TraceState } from './trace.svelte.ts';
import type { ShippedId } from '../shipped-files.ts';
import type { Services } from '../workers.ts';

/** While training, what is on show is asked again this often (milliseconds), so that the heat moves. */
const ASK_AGAIN = 2000;

/** Everything that the newest weights are asked on the Train page: the prompt, the game in tokens, games of their own. */
export class Answers {
  readonly prompt = new PromptState((text) => this.#answer(() => this.#workers.analyse.ask(text)));
  readonly trace = new TraceState({
    ask: (domain, line) => this.#answer(() => this.#workers.analyse.askTrace(domain, line)),
    goOn: (domain, line, options, onEvent) =>
      this.#answer(() => this.#workers.analyse.continueTrace(domain, line, options, sink(onEvent))),
  });
  readonly selfPlay = new SelfPlayState((seed, onPly) => this.#selfPlay(seed, onPly));
  readonly moments = new Moments((text) => this.#answer(() => this.#workers.analyse.ask(text)));
  /** True once there are weights to answer with. */
  hasModel = $state(false);
  /** The page's game: its shipped model answers where no run's does. */
  domain = $state(DOMAIN_NAMES[0]);
  readonly shipped: ShippedModel;
  readonly #run: RunState;
  readonly #workers: Services;
  readonly #notices: Notices;
  #lastAsked = 0;

  constructor(run: RunState, workers: Services, notices: Notices) {
    this.#run = run;
    this.#workers = workers;
    this.#notices = notices;
    this.shipped = new ShippedModel(
      (files) => workers.attempt(() => workers.analyse.open(files)),
      (failure) => notices.report(failure),
    );
  }

  /** Prompts are answered by the game's shipped model from now on, unless a run is active or begins meanwhile. */
  async openShipped(id?: ShippedId): Promise<void> {
    if (this.#run.active) return;
    this.hasModel = false;
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
    this.trace.forget();
    this.selfPlay.clear();
  }

  /** Asks what is on show; of prompt and game that is one. */
  async askNow(): Promise<void> {
    await Promise.all([this.prompt.askNow(), this.trace.askNow()]);
  }

  /** The same, where the last time was a while ago. */
  askAgain(): void {
    if (document.hidden || performance.now() - this.#lastAsked < ASK_AGAIN) return;
    this.#lastAsked = performance.now();
    void this.askNow();
  }

  /** What the newest weights say; null where there are none that can be asked this. */
  async #answer<T>(ask: () => Promise<Result<T | null>>): Promise<Result<T> | null> {
    if (!this.hasModel && this.#run.record === null && !this.shipped.answers) return null;
    const result = await this.#workers.attempt(ask);
    if (result === null) return null;
    if (!result.ok) return result;
    if (result.value === null) return null;
    this.hasModel = true;
    return ok(result.value);
  }

  async #selfPlay(seed: number, onPly: (game: SelfPlayGame) => void): Promise<SelfPlayGame | null> {
    const result = await this.#workers.attempt(() => this.#workers.analyse.selfPlay(seed, sink(onPly)));
    if (result === null) return null;
    if (result.ok) return result.value;
    this.#notices.report(result.error);
    return null;
  }
}
