import { sink } from '../../../../workers/wire.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { SelfPlayGame } from '../../../studies/self-play/self-play.ts';
import type { Lab } from '../lab.svelte.ts';
import { PromptState } from './prompt.svelte.ts';
import { SelfPlayState } from './self-play.svelte.ts';
import { TraceState } from './trace.svelte.ts';
import type { Services } from '../workers.ts';

/** While training, what is on show is asked again this often (milliseconds), so that the heat moves. */
const ASK_AGAIN = 2000;

/** Everything that the newest weights are asked on the Train page: the prompt, the game in tokens, games of their own. */
export class Answers {
  readonly prompt = new PromptState((text) => this.#answer(() => this.#analyse().ask(text)));
  readonly trace = new TraceState({
    ask: (domain, line) => this.#answer(() => this.#analyse().askTrace(domain, line)),
    goOn: (domain, line, options, onEvent) =>
      this.#answer(() => this.#analyse().continueTrace(domain, line, options, sink(onEvent))),
  });
  readonly selfPlay = new SelfPlayState((seed, onPly) => this.#selfPlay(seed, onPly));
  /** True once there are weights to answer with. */
  hasModel = $state(false);
  readonly #lab: Lab;
  readonly #analyse: () => Services['analyse'];
  #lastAsked = 0;

  constructor(lab: Lab, analyse: () => Services['analyse']) {
    this.#lab = lab;
    this.#analyse = analyse;
  }

  /** Other weights will answer. */
  forget(): void {
    this.hasModel = false;
    this.prompt.forget();
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
    const { run, shipped } = this.#lab;
    if (!this.hasModel && run.record === null && !shipped.answers) return null;
    const result = await this.#lab.told(ask);
    if (result === null) return null;
    if (!result.ok) return result;
    if (result.value === null) return null;
    this.hasModel = true;
    return ok(result.value);
  }

  async #selfPlay(seed: number, onPly: (game: SelfPlayGame) => void): Promise<SelfPlayGame | null> {
    const result = await this.#lab.told(() => this.#analyse().selfPlay(seed, sink(onPly)));
    if (result === null) return null;
    if (result.ok) return result.value;
    this.#lab.tell(result.error);
    return null;
  }
}
