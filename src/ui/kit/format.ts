/** Numbers and times as the page writes them. */

const grouped = new Intl.NumberFormat('en-GB');

export function count(value: number): string {
  return grouped.format(Math.round(value));
}

/** 0.861 as "86.1". */
export function percent(share: number): string {
  return (share * 100).toFixed(1);
}

/** Two figures' worth: 16.1, and 1,458 where tenths mean nothing. */
export function perplexity(value: number): string {
  return value < 100 ? value.toFixed(1) : count(value);
}

/** 1,240,000 as "1.2 million"; below ten thousand in full. */
export function roundCount(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} billion`;
  if (value >= 9.95e7) return `${Math.round(value / 1e6)} million`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} million`;
  if (value >= 1e4) return `${count(Math.round(value / 1e3) * 1e3)}`;
  return count(value);
}

/** Axis figures: 4000 as "4k". */
export function tick(value: number): string {
  if (Math.abs(value) >= 1e6) return `${trim(value / 1e6)}M`;
  if (Math.abs(value) >= 1e3) return `${trim(value / 1e3)}k`;
  return trim(value);
}

function trim(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** 151 as "2:31", 7300 as "2 h 2 min". */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole >= 3600) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A length of time that is only known roughly. */
export function roughly(seconds: number): string {
  if (seconds < 5) return 'a few seconds';
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} seconds`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86_400)} days`;
}

export function bytes(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} GB`;
  if (value >= 1e6) return `${Math.round(value / 1e6)} MB`;
  return `${Math.max(1, Math.round(value / 1e3))} kB`;
}

const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

export function date(milliseconds: number): string {
  return dates.format(milliseconds);
}

/** A message that is a whole sentence, whoever wrote it. File names, fields and squares keep their letters. */
export function sentence(text: string): string {
  const start = /^[a-z]+[\s,;:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
