import type { Failure, Result } from '../../../base/result.ts';

const PAUSE_BEFORE_ASKING = 40;

/** What is put to the model wherever one looks, and the newest answer. */
export class Question<Asked, Answer> {
  /** The newest answer, which while another is awaited is that to what was asked before. */
  latest = $state.raw<{ asked: Asked; answer: Answer } | null>(null);
  /** Why the model cannot answer (a line too long for its context, say). */
  unanswered = $state.raw<Failure | null>(null);
  /** Counts changes of the model and the game, so that what comes late from an earlier one is dropped. */
  models = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #again = false;

  /** `asked` tells what to ask about now; null where nobody looks, or nothing can be asked. */
  constructor(
    private readonly ask: (asked: Asked) => Promise<Result<Answer> | null>,
    private readonly asked: () => Asked | null,
  ) {}

  /** Whether a question is about to be asked, as while somebody types. */
  get soon(): boolean {
    return this.#soon !== undefined;
  }

  /** Drops the answer: the model that gave it answers no longer. */
  forget(): void {
    this.models++;
    this.latest = null;
    this.unanswered = null;
  }

  /** Asks after a short silence, so that typing and scrubbing do not queue questions. */
  askSoon(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      void this.askNow();
    }, PAUSE_BEFORE_ASKING);
  }

  /** Asks with the newest weights. One question is under way at a time; a later one waits and replaces it. */
  async askNow(): Promise<void> {
    const asked = this.asked();
    if (asked === null) return;
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    const { models } = this;
    try {
      const result = await this.ask(asked);
      if (models === this.models) {
        this.latest = result?.ok ? { asked, answer: result.value } : null;
        this.unanswered = result && !result.ok ? result.error : null;
      }
    } finally {
      this.#asking = false;
    }
    if (this.#again) {
      this.#again = false;
      await this.askNow();
    }
  }
}
