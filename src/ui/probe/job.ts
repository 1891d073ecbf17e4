/** What can fail: opening a model, or a study by its name; each keeps a failure of its own. */
export type MeasureKind = string;

/** A long measurement under way. */
export interface MeasureJob {
  kind: MeasureKind;
  label: string;
  /** 0 to 1; null while it is being prepared. */
  share: number | null;
  /** Seconds left, once there is something to judge by. */
  secondsLeft: number | null;
  cancelling: boolean;
}

/** Below this share an estimate of the time left would jump about. */
const JUDGED_FROM = 0.02;

/** How long a measurement will go on as it has so far; null while it is too early to say. @param started by performance.now */
export function secondsLeft(started: number, share: number): number | null {
  const passed = (performance.now() - started) / 1000;
  return share < JUDGED_FROM ? null : (passed * (1 - share)) / share;
}
