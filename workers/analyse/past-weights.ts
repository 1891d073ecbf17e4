import { fail, ok, type Result } from '../../src/base/result.ts';
import { parameterMismatch, type ModelConfig } from '../../src/models/model.ts';
import type { CheckpointStore } from '../../src/training/checkpoint-store.ts';
import { readSnapshot } from '../../src/training/snapshot-store.ts';
import type { PastStep, WeightsSnapshot } from './protocol.ts';

/** The weights that a run had at an earlier step. Those read last stay in memory, since one asks about them more than once. */
export class PastWeights {
  #last: { run: string; step: number; weights: Promise<Result<WeightsSnapshot>> } | null = null;

  constructor(private readonly store: CheckpointStore) {}

  /** Fails where no such snapshot can be read, and where it is not of this model. */
  async of({ run, step }: PastStep, model: ModelConfig): Promise<Result<WeightsSnapshot>> {
    if (this.#last?.run !== run || this.#last.step !== step)
      this.#last = { run, step, weights: this.#read({ run, step }) };
    const found = await this.#last.weights;
    if (!found.ok) this.#last = null;
    else if (parameterMismatch(model, found.value.parameters) !== null)
      return fail('other-model', 'This step is of a run that does not answer any more; open that run again.');
    return found;
  }

  async #read({ run, step }: PastStep): Promise<Result<WeightsSnapshot>> {
    const parameters = await readSnapshot(this.store, run, step);
    return parameters.ok ? ok({ step, parameters: parameters.value }) : parameters;
  }
}
