import { failureOf } from '../../../base/result.ts';
import { bigbench, type BigbenchAssessment } from '../../../studies/bigbench/study.ts';
import type { MeasureState } from '../measure.svelte.ts';

/** Largest file that is read at all; the published tasks have less than a megabyte. */
const LARGEST = 60e6;

/** A task file of BIG-bench and what the model scores on it. */
export class BigbenchState {
  name = $state('');
  report = $state.raw<BigbenchAssessment | null>(null);
  readonly #measure: MeasureState;

  constructor(measure: MeasureState) {
    this.#measure = measure;
  }

  forget(): void {
    this.report = null;
  }

  async take(file: File): Promise<void> {
    const measure = this.#measure;
    if (measure.job !== null) return;
    if (file.size > LARGEST) {
      measure.fail('bigbench', {
        code: 'too-long',
        message: `${file.name} has ${Math.round(file.size / 1e6)} MB and is no task of BIG-bench, which have less than one. Choose a chess_state_tracking file.`,
      });
      return;
    }
    let text: string;
    try {
      text = await file.text();
    } catch (error) {
      measure.fail('bigbench', {
        code: 'not-read',
        message: `${file.name} could not be read (${failureOf(error).message}). Choose it again.`,
      });
      return;
    }
    const outcome = await measure.ask(bigbench, { text, name: file.name });
    if (outcome === null) return;
    this.name = file.name;
    this.report = outcome.answer;
  }
}
