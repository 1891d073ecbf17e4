export interface Skipped {
  name: string;
  reason: string;
  excused: boolean;
}
export function countsOf(report: object): { passed: number; failed: number; skipped: Skipped[] };
export function skippedLines(skipped: readonly Skipped[]): string[];
