import { unwrap } from '../../../base/result.ts';
import type { AnyDomain } from '../../../domains/domains.ts';
import { patternOf } from '../../../domains/patterns.ts';
import { questionsFor } from '../questions/questions.ts';

/** Where the probability of the next token lies (Demeter and Downey 2021, section 6.1, Table 4). */
export interface Masses {
  /** On tokens that the rules allow. */
  legalMass: number;
  /**
   * On those and on what the moving piece could do alone on an empty board; null where the game has no such notion. What
   * it is above `legalMass` is the paper's Blocked mass: moves that something in the state stops.
   */
  inPatternMass: number | null;
}

/**
 * The masses after `prefix`, of `probabilities` [V] of the next token in the notation "splat". In-pattern takes the legal
 * moves in, since the paper's Blocked is the difference of the two and would else be made less by every capture of a pawn
 * and every castling, which a piece alone cannot do. @throws for a game that has no questions
 */
export function massesOf(domain: AnyDomain, prefix: Uint16Array, probabilities: Float32Array): Masses {
  const { legal, inPattern } = countedTokens(domain, prefix);
  return { legalMass: sumOf(probabilities, legal), inPatternMass: inPattern && sumOf(probabilities, inPattern) };
}

/** The tokens whose probabilities the masses after `prefix` are made of; `inPattern` is null where the game has none. */
export function countedTokens(
  domain: AnyDomain,
  prefix: Uint16Array,
): { legal: ReadonlySet<number>; inPattern: ReadonlySet<number> | null } {
  const questions = unwrap(questionsFor(domain.name));
  const legal = new Set(questions.legalTokens(prefix));
  const pattern = patternOf(domain.name);
  if (pattern === null) return { legal, inPattern: null };
  const { encode } = unwrap(domain.notation('splat'));
  const inPattern = new Set(legal);
  // An event's first token is what comes next; before it stands the begin token.
  for (const event of pattern(prefix)) inPattern.add(encode([event], { random: null, closed: false })[1]);
  return { legal, inPattern };
}

function sumOf(probabilities: Float32Array, tokens: ReadonlySet<number>): number {
  let sum = 0;
  for (const token of tokens) sum += probabilities[token];
  return sum;
}
