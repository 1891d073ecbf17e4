/** Threads that this page may use for training: all cores but the one that draws, at most eight. */
export function trainingThreads(): number {
  return crossOriginIsolated ? Math.max(1, Math.min(8, navigator.hardwareConcurrency - 1)) : 1;
}
