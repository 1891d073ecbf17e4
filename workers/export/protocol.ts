import type { Result } from '../../src/base/result.ts';
import type { Progress } from '../../src/studies/asking/measuring.ts';
import type { MeasuredModel } from '../measure/protocol.ts';
import type { ExportForm } from './forms.ts';

/** A file to save, and what reading it back has shown. */
export interface ExportedModel {
  name: string;
  bytes: Uint8Array;
  proof: ExportProof;
}

export interface ExportProof {
  /** What read it. */
  client: string;
  prompts: number;
  /** The largest difference of any next-token logit; in the most exact file where there are several. */
  maxLogitDifference: number;
}

/** Writes models in other forms, in a worker of its own that is ended to cancel. */
export interface ExportService {
  /**
   * Fails with `export-differs` where the file, read back, answers otherwise than the model, and as what opens and writes
   * the model says.
   */
  make(
    model: MeasuredModel,
    form: ExportForm,
    onProgress: (progress: Progress) => void,
  ): Promise<Result<ExportedModel>>;
}
