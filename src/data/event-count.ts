/** What one event of a game is called, and several. */
export interface EventWords {
  one: string;
  many: string;
}

/** As tables count them: a game of chess has plies, of baseball verbs, any other moves. */
export function countedEvents(domain: string): EventWords {
  if (domain === 'chess') return { one: 'ply', many: 'plies' };
  return eventWords(domain);
}

/** As sentences call them. */
export function eventWords(domain: string): EventWords {
  return domain === 'baseball' ? { one: 'verb', many: 'verbs' } : { one: 'move', many: 'moves' };
}
