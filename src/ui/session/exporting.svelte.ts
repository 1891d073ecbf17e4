import { connect, sink } from '../../../workers/wire.ts';
import type { ExportForm } from '../../../workers/export/forms.ts';
import type { ExportProof, ExportService } from '../../../workers/export/protocol.ts';
import type { MeasuredModel } from '../../../workers/measure/protocol.ts';
import { failureOf, type Failure } from '../../base/result.ts';
import type { Progress } from '../../studies/asking/measuring.ts';

/** One export at a time, in a worker of its own, which is ended to cancel and when it is done. */
export class Exporting {
  progress = $state<Progress | null>(null);
  failure = $state<Failure | null>(null);
  /** Of what was saved last. */
  saved = $state<{ name: string; proof: ExportProof } | null>(null);
  #end: (() => void) | null = null;

  /** Makes the file, and gives it to `save`. */
  async make(
    model: () => Promise<MeasuredModel>,
    form: ExportForm,
    save: (name: string, bytes: Uint8Array<ArrayBuffer>) => void,
  ): Promise<void> {
    this.cancel();
    this.failure = this.saved = null;
    this.progress = { label: 'Opening the model', share: 0 };
    const worker = new Worker(new URL('../../../workers/export/export.worker.ts', import.meta.url), {
      type: 'module',
    });
    let cancelled = false;
    const died = new Promise<never>((_, reject) => {
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        reject(new Error(event.message || 'its script could not be loaded'));
      });
      this.#end = () => {
        cancelled = true;
        reject(new Error('it was cancelled'));
      };
    });
    try {
      const wanted = await model();
      const service = connect<ExportService>(worker);
      const onProgress = sink<Progress>((progress) => {
        if (!cancelled) this.progress = progress;
      });
      const made = await Promise.race([service.make(wanted, form, onProgress), died]);
      if (made.ok) {
        save(made.value.name, new Uint8Array(made.value.bytes));
        this.saved = { name: made.value.name, proof: made.value.proof };
      } else this.failure = made.error;
    } catch (error) {
      if (!cancelled) this.failure = failureOf(error);
    } finally {
      worker.terminate();
      if (!cancelled) {
        this.progress = null;
        this.#end = null;
      }
    }
  }

  cancel(): void {
    this.#end?.();
    this.#end = null;
    this.progress = null;
  }
}
