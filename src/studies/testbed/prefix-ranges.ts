/** Prefix lengths in plies that the chess testbed probes: its appendix's short range and the paper's long one. */
export const prefixRanges = { short: [5, 50], long: [51, 100] } as const;
export type PrefixRange = keyof typeof prefixRanges;
export const PREFIX_RANGES = Object.keys(prefixRanges) as PrefixRange[];
