/** Tokens a second over the last steps; pauses, evaluations and checkpoints between them do not count. */
export class Throughput {
  private readonly recent: { tokens: number; ms: number }[] = [];
  constructor(private readonly window = 20) {}

  add(tokens: number, ms: number): void {
    this.recent.push({ tokens, ms });
    if (this.recent.length > this.window) this.recent.shift();
  }

  /** 0 until time has passed. */
  get tokensPerSecond(): number {
    const ms = this.milliseconds();
    return ms > 0 ? (1000 * this.recent.reduce((sum, step) => sum + step.tokens, 0)) / ms : 0;
  }

  /** For this many more steps; null until time has passed. */
  secondsFor(steps: number): number | null {
    const ms = this.milliseconds();
    return ms > 0 ? (steps * ms) / this.recent.length / 1000 : null;
  }

  private milliseconds(): number {
    return this.recent.reduce((sum, step) => sum + step.ms, 0);
  }
}
