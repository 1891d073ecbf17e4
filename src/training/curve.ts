/** One evaluation as it is kept with a run; what else it says is for the layer that made it, and must be plain JSON. */
export interface EvaluationRecord {
  readonly step: number;
  readonly devPerplexity: number;
}

/** The loss of every step and the evaluations of a run. Steps count from 1: the first loss is step 1's. */
export class Curve {
  private values = new Float32Array(256);
  private filled = 0;
  private readonly records: EvaluationRecord[] = [];

  constructor(losses: Float32Array = new Float32Array(0), evaluations: readonly EvaluationRecord[] = []) {
    for (const loss of losses) this.addLoss(loss);
    for (const evaluation of evaluations) this.addEvaluation(evaluation);
  }

  /** Number of losses, which is the last step recorded. */
  get length(): number {
    return this.filled;
  }

  get evaluations(): readonly EvaluationRecord[] {
    return this.records;
  }

  /** The evaluation of a step; undefined where there is none. */
  evaluationOf(step: number): EvaluationRecord | undefined {
    return this.records.find((one) => one.step === step);
  }

  addLoss(loss: number): void {
    if (this.filled === this.values.length) {
      const larger = new Float32Array(2 * this.values.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.filled++] = loss;
  }

  /** A second evaluation of a step takes the first one's place, as happens when a run is resumed there. */
  addEvaluation(evaluation: EvaluationRecord): void {
    const at = this.records.findIndex((one) => one.step >= evaluation.step);
    if (at === -1) this.records.push(evaluation);
    else this.records.splice(at, this.records[at].step === evaluation.step ? 1 : 0, evaluation);
  }

  /** A copy of the losses. */
  losses(): Float32Array {
    return this.values.slice(0, this.filled);
  }
}
