import type { RecordLine } from './domain.ts';
import type { AnyDomain } from './domains.ts';

const EVENTS_A_LINE = 8;

/** A game in lines that people can read, as its domain writes them; else its events in eights. */
export function recordLines(domain: AnyDomain, events: Uint16Array): RecordLine[] {
  if (domain.record) return domain.record.lines(events);
  const count = events.length;
  return inLines(
    Array.from(events, (event) => eventText(domain, event)),
    EVENTS_A_LINE,
    (line) => `${line * EVENTS_A_LINE + 1} to ${Math.min(count, (line + 1) * EVENTS_A_LINE)}`,
  );
}

/** The texts of events, `each` a line. @param heading of line i, from 0 */
export function inLines(texts: readonly string[], each: number, heading: (line: number) => string): RecordLine[] {
  return Array.from({ length: Math.ceil(texts.length / each) }, (_, i) => ({
    heading: heading(i),
    from: i * each,
    events: texts.slice(i * each, (i + 1) * each),
  }));
}

/** The tokens of one event, as the domain writes them in a line. */
export function eventText(domain: AnyDomain, event: number): string {
  return domain.traces.format([event]);
}

/** What an event does in a state, in a few words; null where its tokens say it as well. */
export function describeEvent(domain: AnyDomain, state: unknown, event: number): string | null {
  return domain.record?.describe?.(state, event) ?? null;
}
