import type { Progress } from '../../studies/asking/measuring.ts';

/** What can fail: opening a model, or a study by its name; each keeps a failure of its own. */
export type MeasureKind = string;

/** Below this share an estimate of the time left would jump about. */
const JUDGED_FROM = 0.02;

/** A long measurement under way. */
export class MeasureJob {
  label = $state('Opening the model');
  /** 0 to 1; null while it is being prepared. */
  share = $state<number | null>(null);
  /** Seconds left if it goes on as it has so far; null while it is too early to say. */
  secondsLeft = $state<number | null>(null);
  cancelling = $state(false);
  readonly #started = performance.now();

  constructor(readonly kind: MeasureKind) {}

  take({ label, share }: Progress): void {
    const passed = (performance.now() - this.#started) / 1000;
    this.label = label;
    this.share = share;
    this.secondsLeft = share < JUDGED_FROM ? null : (passed * (1 - share)) / share;
  }

  cancel(): void {
    this.label = 'Cancelling';
    this.cancelling = true;
  }
}
