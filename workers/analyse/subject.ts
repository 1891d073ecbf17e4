import { ok, type Result } from '../../src/base/result.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { ModelConfig } from '../../src/models/model.ts';
import { askedIn } from '../../src/studies/asking/asked-in.ts';
import { squaresContext } from '../../src/studies/asking/squares-engine.ts';
import type { RunWatch } from '../../src/studies/evaluate-run.ts';
import type { TraceReader } from '../../src/studies/splat/asking/answer-trace.ts';
import { guarded } from '../guarded.ts';
import { macrotask } from '../macrotask.ts';
import type { AnalyseHost } from './handlers.ts';
import type { WeightsSnapshot } from './protocol.ts';

/** What an engine is for. One with earlier weights is apart: the newest may be asked at the same time. */
export type Role = 'prompt' | 'evaluation' | 'self-play' | 'past prompt' | 'past self-play';

/** Thrown inside a job of a model that another has replaced, or whose answer nobody awaits any more. */
export class Retired extends Error {}

export interface SubjectParts {
  model: ModelConfig;
  /** In which it learns; it is asked as askedIn says. */
  notation: Notation;
  /** What states are asked for with; null where they cannot be. */
  reader: TraceReader | null;
  /** Null for an opened model, which nobody trains and evaluates. */
  watch: RunWatch | null;
  newest: WeightsSnapshot | null;
}

/** Everything of one run or of one opened model; the next makes a new one. */
export class Subject {
  readonly model: ModelConfig;
  /** In which it is asked. */
  readonly notation: Notation;
  /** Tokens of that notation that it reads at most. */
  readonly context: number;
  readonly reader: TraceReader | null;
  readonly watch: RunWatch | null;
  newest: WeightsSnapshot | null;
  /** One engine a role, each with its own weights: a game or an evaluation must not change models half-way. */
  #engines = new Map<Role, { engine: Promise<Engine>; weights: WeightsSnapshot }>();
  /** The last question about an earlier step. */
  #past: Promise<unknown> = Promise.resolve();
  /** Questions being answered. */
  #jobs = 0;
  /** Another has taken its place: what is under way gives up, and the last to leave puts the engines away. */
  #retired = false;
  readonly #createEngine: AnalyseHost['createEngine'];

  constructor({ model, notation, reader, watch, newest }: SubjectParts, createEngine: AnalyseHost['createEngine']) {
    this.model = model;
    this.notation = notation.asked ?? notation;
    this.context = notation.asked ? squaresContext(model.context) : model.context;
    this.reader = reader;
    this.watch = watch;
    this.newest = newest;
    this.#createEngine = async (...of) => askedIn(await createEngine(...of), notation).engine;
  }

  /** The role's engine with these weights. */
  async engineFor(role: Role, weights: WeightsSnapshot): Promise<Engine> {
    const engines = this.#engines;
    let held = engines.get(role);
    if (!held) {
      held = { engine: this.#createEngine(this.model, weights.parameters), weights };
      engines.set(role, held);
      // A device that failed once is asked again at the next question.
      held.engine.catch(() => engines.delete(role));
    }
    const engine = await held.engine;
    if (held.weights !== weights) {
      engine.setParameters(weights.parameters);
      held.weights = weights;
    }
    return engine;
  }

  async retire(): Promise<void> {
    this.#retired = true;
    await this.#putAway();
  }

  /** Does a job on the engines; null where another model has taken this one's place meanwhile. */
  async job<T>(work: () => Promise<T>): Promise<Result<T | null>> {
    this.#jobs++;
    const attempt = async (again: boolean): Promise<Result<T | null>> => {
      const engines = this.#engines;
      try {
        return ok(await work());
      } catch (error) {
        if (error instanceof Retired) return ok(null);
        if (!(error instanceof Error && error.name === 'DeviceLostError')) throw error;
        // Engines of a lost device never answer again; the next ones, which another job may have made, open another.
        if (this.#engines === engines) this.#engines = new Map();
        if (!again) throw error;
        return attempt(false);
      }
    };
    const done = await guarded<T | null>(() => attempt(true));
    this.#jobs--;
    await this.#putAway();
    return done;
  }

  /** Questions about earlier steps share an engine, so that each waits for the one before: they may be of other weights. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#past.then(work);
    this.#past = done.catch(() => undefined);
    return done;
  }

  /** Between the parts of a job: answers waiting messages, and gives up where another model has taken this one's place. */
  async pause(): Promise<void> {
    await macrotask();
    if (this.#retired) throw new Retired();
  }

  async #putAway(): Promise<void> {
    if (!this.#retired || this.#jobs > 0) return;
    const engines = [...this.#engines.values()];
    this.#engines.clear();
    for (const { engine } of engines) (await engine).dispose();
  }
}
