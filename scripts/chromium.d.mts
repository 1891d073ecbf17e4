/** Path of an installed Chromium, or null. */
export function findChromium(): string | null;
/** Path of a Chromium, installing one where there is none. */
export function ensureChromium(log?: (line: string) => void): string;
export const chromiumFlags: string[];
