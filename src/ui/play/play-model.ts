import { runStudy, type MeasureService, type Outcome } from '../../../workers/measure/protocol.ts';
import { fail, failureOf, ok, type Result } from '../../base/result.ts';
import type { Progress } from '../../studies/asking/measuring.ts';
import type { ModelTurn } from '../../studies/play/model-turn.ts';
import { strength, type StrengthAssessment } from '../../studies/play/strength-study.ts';
import { play } from '../../studies/play/study.ts';
import type { AssessedModel } from '../../studies/subject-schema.ts';
import { runOf, savedStepOf, type DroppedModel, type ModelChoice } from '../probe/model-choice.ts';
import { measuredModel } from '../probe/opening.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { MeasuringWorker } from '../session/measuring-worker.ts';

const rested = fail('cancelled', 'The model plays no longer.');

/** A model that plays, in a worker that holds it from its first move on. */
export class PlayModel {
  readonly #worker: MeasuringWorker;
  #opening: Promise<Result<AssessedModel>> | null = null;
  /** The checkpoint that was opened; null for models that are no runs, and before that. */
  #step: number | null = null;

  #cancelled = false;
  /** What is asked and not answered: a worker that is let go says nothing more. */
  readonly #waiting = new Set<(result: typeof rested) => void>();

  constructor(
    private readonly lab: Lab,
    private readonly choice: ModelChoice,
    private readonly dropped: DroppedModel | null,
  ) {
    this.#worker = new MeasuringWorker(lab.workers);
  }

  /** Whether a run has a newer checkpoint than the one that plays. */
  get outdated(): boolean {
    const run = runOf(this.lab, this.choice);
    return run !== null && this.#step !== null && savedStepOf(this.lab, run) !== this.#step;
  }

  async turn(moves: string, temperature: number, seed: number): Promise<Result<ModelTurn>> {
    return this.#ask((service) => runStudy(service, play, { moves, temperature, seed }, null));
  }

  /** Measures its strength on the held-out games of a set. */
  async strength(
    games: string,
    settings: { temperature: number; seed: number },
    onProgress: (progress: Progress) => void,
  ): Promise<Result<StrengthAssessment>> {
    this.#cancelled = false;
    return this.#ask(async (service) => {
      // While the model was opened there was nothing that the worker could have ended.
      if (this.#cancelled) return fail('cancelled', 'The estimate was stopped.');
      return runStudy(service, strength, settings, games, onProgress);
    });
  }

  cancel(): void {
    this.#cancelled = true;
    this.#worker.cancel();
  }

  /** Lets the worker and its memory go; what it was asked fails with `cancelled`. */
  rest(): void {
    this.#opening = null;
    this.#worker.rest();
    for (const give of this.#waiting) give(rested);
    this.#waiting.clear();
  }

  async #ask<T>(work: (service: MeasureService) => Promise<Result<Outcome<T>>>): Promise<Result<T>> {
    let giveUp: (result: typeof rested) => void = () => undefined;
    const gone = new Promise<typeof rested>((resolve) => (giveUp = resolve));
    this.#waiting.add(giveUp);
    try {
      const asked = this.#worker.ask(async (service): Promise<Result<T>> => {
        const opened = await (this.#opening ??= this.#open(service));
        if (!opened.ok) {
          this.#opening = null;
          return opened;
        }
        const outcome = await work(service);
        return outcome.ok ? ok(outcome.value.answer) : outcome;
      });
      return await Promise.race([asked, gone]);
    } catch (error) {
      // The next move opens the model anew.
      this.#opening = null;
      return { ok: false, error: failureOf(error) };
    } finally {
      this.#waiting.delete(giveUp);
    }
  }

  async #open(service: MeasureService): Promise<Result<AssessedModel>> {
    const { lab, choice, dropped } = this;
    const run = runOf(lab, choice);
    this.#step = run === null ? null : savedStepOf(lab, run);
    return service.open(await measuredModel({ lab, chosen: choice, domain: lab.domain, dropped }));
  }
}
