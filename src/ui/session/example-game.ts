import { domainNamed, notationOf } from '../../domains/domains.ts';

const SEED = 1;
const made = new Map<string, Uint16Array | null>();

/** One made-up game of a domain, always the same; null where the domain makes up none. */
export function exampleGame(domain: string): Uint16Array | null {
  if (!made.has(domain)) {
    const found = domainNamed(domain);
    const [game] = found.ok && found.value.invented !== null ? found.value.invented.games(1, SEED) : [];
    made.set(domain, game ?? null);
  }
  return made.get(domain)!;
}

/** Tokens an event by the example; without one, as many as an event has at most. */
export function tokensAnEvent(config: { domain: string; notation: string }): number {
  const notation = notationOf(config);
  if (!notation.ok) return 1;
  const game = exampleGame(config.domain);
  if (game === null || game.length === 0) return notation.value.maxTokens(1) - notation.value.maxTokens(0);
  const { begin, end } = notation.value.vocabulary;
  const tokens = notation.value.encode(game, { random: null, closed: false });
  return tokens.filter((token) => token !== begin && token !== end).length / game.length;
}

/** How a game of the domain begins, in the words that a model reads. */
export function exampleWords(config: { domain: string; notation: string }, most: number): string {
  const notation = notationOf(config);
  const game = exampleGame(config.domain);
  if (!notation.ok || game === null) return '';
  const { tokens } = notation.value.vocabulary;
  const ids = notation.value.encode(game.subarray(0, most), { random: null, closed: false });
  return ids
    .slice(1, most + 1)
    .map((id) => tokens[id])
    .join(' ');
}
