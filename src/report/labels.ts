const grouped = new Intl.NumberFormat('en-GB');

/** 28501 as "28,501". */
export function count(value: number): string {
  return grouped.format(value);
}

/** 849536 as "0.8 million"; below ten thousand in full. */
export function millions(value: number): string {
  return value < 10_000 ? count(value) : `${(value / 1e6).toFixed(value < 1e5 ? 2 : 1)} million`;
}
