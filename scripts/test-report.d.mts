export interface Skipped {
  name: string;
  reason: string;
  excused: boolean;
}
export interface Counts {
  passed: number;
  failed: number;
  retried: { name: string }[];
  skipped: Skipped[];
}
export function countsOf(report: object): Counts;
export function retriedLines(retried: Counts['retried']): string[];
export function skippedLines(skipped: readonly Skipped[]): string[];
