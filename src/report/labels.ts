/** Numbers as tables, axes, tooltips and sentences write them. */

const grouped = new Intl.NumberFormat('en-GB');

/** 28501 as "28,501". */
export function count(value: number): string {
  return grouped.format(Math.round(value));
}

/** 849536 as "0.8 million"; below ten thousand in full. */
export function millions(value: number): string {
  return value < 10_000 ? count(value) : `${(value / 1e6).toFixed(value < 1e5 ? 2 : 1)} million`;
}

/** 0.861 as "86.1". */
export function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** Two figures' worth: 16.1, and 1,458 where tenths mean nothing. */
export function perplexity(value: number): string {
  return value < 100 ? value.toFixed(1) : count(value);
}

export type Unit = 'percent' | 'plain';

/** A value of a figure: "86.1" in percent; else three digits ("2.30", "16.1"), and from 100 or where it is whole "1,458". */
export function valueText(value: number, unit: Unit): string {
  if (unit === 'percent') return value.toFixed(1);
  return Math.abs(value) >= 100 || Number.isInteger(value) ? count(value) : value.toPrecision(3);
}

/** A value on an axis: 4000 as "4k", 40 percent as "40%". */
export function tickText(value: number, unit: Unit = 'plain'): string {
  const trim = (number: number): string => String(Number(number.toPrecision(4)));
  if (unit === 'percent') return `${trim(value)}%`;
  if (Math.abs(value) >= 1e6) return `${trim(value / 1e6)}M`;
  return Math.abs(value) >= 1e3 ? `${trim(value / 1e3)}k` : trim(value);
}
