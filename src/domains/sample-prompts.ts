import { seededRandom } from '../base/random.ts';
import type { Notation } from './domain.ts';
import type { AnyDomain } from './domains.ts';

/**
 * Beginnings of games of random legal events as token ids, the same every time: from the begin token alone to `longest`
 * tokens, or to where a game ends before.
 */
export function samplePrompts(domain: AnyDomain, notation: Notation, count: number, longest: number): number[][] {
  return Array.from({ length: count }, (_, i) => {
    const length = 1 + Math.round(((longest - 1) * i) / Math.max(1, count - 1));
    const random = seededRandom('sample prompt', i);
    const trace: number[] = [];
    let state = domain.initial();
    // An event is a token at least.
    while (trace.length < length && domain.outcome(state) === null) {
      const legal = domain.legal(state);
      if (legal.length === 0) break;
      const event = legal[random.below(legal.length)];
      trace.push(event);
      state = domain.apply(state, event);
    }
    return notation.encode(trace, { random, closed: false }).slice(0, length);
  });
}
