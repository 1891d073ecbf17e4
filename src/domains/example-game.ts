import { domainNamed, notationOf, type AnyDomain } from './domains.ts';

const FIRST = 1;
const games = new Map<string, Uint16Array | null>();

/** An example game as a line of the domain's text format; another for each number. */
export function exampleLine(domain: AnyDomain, number: number): string {
  const { invented, examples = [], traces } = domain;
  if (invented === null) return examples[number % examples.length] ?? '';
  for (const trace of invented.games(1, number)) return traces.format(trace);
  return '';
}

/** One example game of a domain, always the same; null where there is no such domain. */
function exampleGame(name: string): Uint16Array | null {
  if (!games.has(name)) {
    const domain = domainNamed(name);
    const game = domain.ok ? domain.value.traces.parse(exampleLine(domain.value, FIRST)) : domain;
    games.set(name, game.ok ? game.value : null);
  }
  return games.get(name)!;
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

/** How a game of the domain begins, in the tokens that a model reads. */
export function exampleTokens(config: { domain: string; notation: string }, most: number): string {
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
