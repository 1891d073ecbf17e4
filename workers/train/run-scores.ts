import type { Curve } from '../../src/training/curve.ts';
import type { AnalyseService, WeightsSnapshot } from '../analyse/protocol.ts';
import type { Remote } from '../wire.ts';
import type { RunRecord, TrainEvent } from './protocol.ts';

/** The weights of a run on their way to be asked at most this often. */
const WEIGHTS_MS = 1500;

/** A run's weights on their way to the analyse worker, and the scores that come back while training goes on. */
export class RunScores {
  /** Resolves when no scores are awaited. */
  settled: Promise<void> = Promise.resolve();
  /** Step whose scores are still awaited, or null. */
  awaited: number | null = null;
  /** Another run has taken this one's place and asks for its last scores again. */
  lost = false;
  private sentAt = 0;

  constructor(
    private readonly curve: Curve,
    private readonly record: RunRecord,
    private readonly analyser: () => Remote<AnalyseService> | null,
    private readonly snapshot: () => Promise<WeightsSnapshot>,
    private readonly clock: () => number,
    private readonly onEvent: (event: TrainEvent) => void,
  ) {}

  /** Sends the weights, so that prompts are answered with them. */
  async send(): Promise<void> {
    await this.analyser()?.update(await this.snapshot());
  }

  /** Sends the weights where the last were sent a while ago. */
  async sendWhenDue(): Promise<void> {
    if (!this.analyser() || this.clock() - this.sentAt < WEIGHTS_MS) return;
    await this.send();
    this.sentAt = this.clock();
  }

  /** Has the weights scored; a second evaluation waits for the first. */
  async ask(step: number): Promise<void> {
    const analyser = this.analyser();
    if (!analyser) return;
    await this.settled;
    const snapshot = await this.snapshot();
    this.awaited = step;
    this.settled = analyser.evaluate(snapshot).then((scores) => {
      this.awaited = null;
      if (this.lost) return;
      if (!scores.ok) {
        this.onEvent({ kind: 'notice', failure: scores.error });
        return;
      }
      this.curve.addEvaluation(scores.value);
      this.record.evaluation = scores.value;
      this.onEvent({ kind: 'evaluation', evaluation: scores.value });
    });
  }
}
