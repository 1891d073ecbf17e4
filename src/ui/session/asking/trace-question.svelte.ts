import type { Failure, Result } from '../../../base/result.ts';
import type { TraceAnswer } from '../../../studies/splat/asking/trace-answer.ts';

const PAUSE_BEFORE_ASKING = 40;

/** What is asked about: a domain and a line of its own text. */
interface Asked {
  domain: string;
  line: string;
}

/** The question that a game puts to the model wherever one looks in it, and the newest answer. */
export class TraceQuestion {
  /** The newest answer, which while another is awaited is that to an earlier line. */
  latest = $state.raw<{ line: string; answer: TraceAnswer } | null>(null);
  /** Why the model cannot answer (a line too long for its context, say). */
  unanswered = $state.raw<Failure | null>(null);
  /** Counts changes of the model and the domain, so that what comes late from an earlier one is dropped. */
  models = 0;
  #ask: (asked: Asked) => Promise<Result<TraceAnswer> | null>;
  #asked: () => Asked | null;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #again = false;

  /** `asked` tells what to ask about now; null where nobody looks. */
  constructor(ask: (asked: Asked) => Promise<Result<TraceAnswer> | null>, asked: () => Asked | null) {
    this.#ask = ask;
    this.#asked = asked;
  }

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
    const asked = this.#asked();
    if (asked === null) return;
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    const { models } = this;
    try {
      const result = await this.#ask(asked);
      if (models === this.models) {
        this.latest = result?.ok ? { line: asked.line, answer: result.value } : null;
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
