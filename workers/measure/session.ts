import { fail, type Result } from '../../src/base/result.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { askedIn } from '../../src/studies/asking/asked-in.ts';
import type { ModelConfig } from '../../src/models/model.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import type { Pace } from '../../src/studies/asking/cancellation.ts';
import { guarded } from '../guarded.ts';
import type { OpenedModel } from './open-model.ts';

export interface SessionHost {
  createEngine(model: ModelConfig, parameters: NamedArrays): Promise<Engine>;
  /** Lets the thread answer waiting messages, so that a measurement can be cancelled. */
  pause(): Promise<void>;
}

/** One opened model with its engine, which is made at the first question and put away after the last. */
export class Session {
  private engine: Promise<Engine> | null = null;
  /** Questions and measurements under way. */
  private jobs = 0;
  private retired = false;
  private long: { cancelled: boolean } | null = null;

  constructor(
    readonly opened: OpenedModel,
    private readonly host: SessionHost,
  ) {}

  /** A measurement that takes long; a second one is refused while it goes on. */
  measure<T>(work: (engine: Engine, pace: Required<Pace>) => Promise<Result<T>>): Promise<Result<T>> {
    if (this.long)
      return Promise.resolve(fail('busy', 'Another measurement is going on; wait for its end or cancel it first.'));
    const mine = { cancelled: false };
    this.long = mine;
    const pace: Required<Pace> = {
      pause: () => this.host.pause(),
      cancelled: () => mine.cancelled || this.retired,
    };
    return this.ask((engine) => work(engine, pace)).finally(() => (this.long = null));
  }

  /** A short question, answered between the parts of what takes long. */
  async ask<T>(work: (engine: Engine) => Promise<Result<T>>): Promise<Result<T>> {
    this.jobs++;
    const done = await guarded(async () => {
      const making = this.ready();
      const engine = await making;
      try {
        return await work(engine);
      } catch (error) {
        // A lost device answers nothing more; the next question makes an engine anew.
        if (error instanceof Error && error.name === 'DeviceLostError' && this.engine === making) {
          this.engine = null;
          engine.dispose();
        }
        throw error;
      }
    });
    this.jobs--;
    await this.putAway();
    return done;
  }

  /** Ends the long measurement at its next pause. */
  cancel(): void {
    if (this.long) this.long.cancelled = true;
  }

  /** Another model has taken its place: what is under way ends, and the last to leave puts the engine away. */
  async retire(): Promise<void> {
    this.retired = true;
    await this.putAway();
  }

  private ready(): Promise<Engine> {
    if (!this.engine) {
      const { model, parameters } = this.opened;
      const making = this.host.createEngine(model, parameters).then((engine) => this.asked(engine));
      this.engine = making;
      // A device that failed once is asked again at the next question.
      making.catch(() => {
        if (this.engine === making) this.engine = null;
      });
    }
    return this.engine;
  }

  private asked(engine: Engine): Engine {
    const { opened } = this;
    return 'learned' in opened && opened.learned ? askedIn(engine, opened.learned).engine : engine;
  }

  private async putAway(): Promise<void> {
    if (!this.retired || this.jobs > 0 || !this.engine) return;
    const { engine } = this;
    this.engine = null;
    await engine.then(
      (made) => made.dispose(),
      () => undefined,
    );
  }
}
