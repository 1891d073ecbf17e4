import type { Result } from '../../../base/result.ts';
import type { PromptAnswer } from '../../../studies/asking/prompt-answer.ts';
import type { LivePanel } from '../../../studies/live.ts';

/** More answers of a run are thinned to half as many. */
const STORED = 40;

/** Asks the newest weights, or those of a stored step. */
type AskAt = (prompt: string, step: number | null) => Promise<Result<PromptAnswer> | null>;

/** A study's one question, answered by a run at several moments, and by the shipped model. */
export class Moments {
  /** The run's answers, in the order of their steps. */
  answers = $state.raw<readonly PromptAnswer[]>([]);
  shipped = $state.raw<PromptAnswer | null>(null);
  /** Counts runs, so that a late answer of an earlier one is dropped. */
  #run = 0;
  /** Whether the run's first weights are being asked. */
  #beginning = false;

  constructor(private readonly ask: AskAt) {}

  /** Asks the run's first weights, once there are any. */
  async askFirst(panels: readonly LivePanel[]): Promise<void> {
    if (this.#beginning || this.answers.length > 0) return;
    this.#beginning = true;
    await this.askRun(panels);
    this.#beginning = false;
  }

  /** Asks the run's newest weights, or those of a stored step; of a study without a question, nothing. */
  async askRun(panels: readonly LivePanel[], step: number | null = null): Promise<void> {
    const run = this.#run;
    const answer = await this.#answer(panels, step);
    if (answer === null || run !== this.#run) return;
    const known = this.answers.filter(({ step }) => step !== answer.step);
    const all = [...known, answer].sort((a, b) => a.step - b.step);
    this.answers = all.length <= STORED ? all : all.filter((_, at) => at % 2 === 0 || at === all.length - 1);
  }

  /** Asks the shipped model, whose answer stays beside those of later runs. */
  async askShipped(panels: readonly LivePanel[]): Promise<void> {
    const run = this.#run;
    const answer = await this.#answer(panels);
    if (answer !== null && run === this.#run) this.shipped = answer;
  }

  /** Another run begins. */
  forgetRun(): void {
    this.#run++;
    this.answers = [];
  }

  async #answer(panels: readonly LivePanel[], step: number | null = null): Promise<PromptAnswer | null> {
    const question = panels.find(({ story }) => story?.question)?.story?.question;
    if (!question) return null;
    const answer = await this.ask(question.prompt, step);
    return answer?.ok ? answer.value : null;
  }
}
