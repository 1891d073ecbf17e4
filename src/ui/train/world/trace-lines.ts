import { appearancesOf, eventWords } from '../../../domains/baseball/event-words.ts';
import { BaseballState } from '../../../domains/baseball/state.ts';
import type { AnyDomain } from '../../../domains/domains.ts';

/** Some events of a game that are read together. */
export interface StoryLine {
  heading: string;
  /** Number of its first event, from 0. */
  from: number;
  /** A few words for each of its events. */
  words: string[];
}

const EVENTS_A_LINE = 8;

/** A game in lines that people can read: baseball's plate appearances, chess's moves in pairs, others in eights. */
export function storyOf(domain: AnyDomain, events: Uint16Array): StoryLine[] {
  if (domain.name === 'baseball') return appearancesOf(events);
  const words = Array.from(events, (event) => eventText(domain, event));
  const chess = domain.name === 'chess';
  const each = chess ? 2 : EVENTS_A_LINE;
  return Array.from({ length: Math.ceil(words.length / each) }, (_, i) => ({
    heading: chess ? `${i + 1}` : `${i * each + 1} to ${Math.min(words.length, (i + 1) * each)}`,
    from: i * each,
    words: words.slice(i * each, (i + 1) * each),
  }));
}

/** What an event does in a state, in a few words; null where its tokens say it as well. */
export function wordsOf(state: unknown, event: number): string | null {
  return state instanceof BaseballState ? eventWords(state, event) : null;
}

/** The tokens of one event, as the domain writes them in a line. */
export function eventText(domain: AnyDomain, event: number): string {
  return domain.traces.format([event]);
}
