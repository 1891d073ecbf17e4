/** Numbers and times as the page writes them. */

import { count } from '../../report/labels.ts';

export { count, percent, perplexity } from '../../report/labels.ts';

/** 1,240,000 as "1.2 million"; below ten thousand in full. */
export function roundCount(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} billion`;
  if (value >= 9.95e7) return `${Math.round(value / 1e6)} million`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} million`;
  if (value >= 1e4) return `${count(Math.round(value / 1e3) * 1e3)}`;
  return count(value);
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

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

export function date(milliseconds: number): string {
  return dates.format(milliseconds);
}

/** "22 Nov 2026" */
export function day(milliseconds: number): string {
  return days.format(milliseconds);
}

/** A message that is a whole sentence, whoever wrote it. File names, fields and squares keep their letters. */
export function sentence(text: string): string {
  const start = /^[a-z]+[\s,;:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
