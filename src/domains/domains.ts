import { fail, ok, type Result } from '../base/result.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import type { ModelVocabulary } from '../base/text-tokenizer.ts';
import { bringsTokens } from '../config/brought-tokens.ts';
import { baseball } from './baseball/baseball.ts';
import { chess } from './chess/chess.ts';
import type { Domain, EventName, Notation } from './domain.ts';
import { noughts } from './noughts/noughts.ts';
import { TEXT, textNotation } from './text-notation.ts';

/** A domain of which one does not need to know what its states are. */
export type AnyDomain = Domain<unknown>;

/** Every game of the lab, a line each; the first is the one that the lab opens with. */
export const DOMAINS: readonly AnyDomain[] = [chess as AnyDomain, baseball as AnyDomain, noughts as AnyDomain];

/** The names of the games, as configs, folders and commands have them. */
export const DOMAIN_NAMES: readonly string[] = DOMAINS.map(({ name }) => name);

/** The game of that name. Fails with `unknown-domain`. */
export function domainNamed(name: string): Result<AnyDomain> {
  const domain = DOMAINS.find((candidate) => candidate.name === name);
  if (domain) return ok(domain);
  return fail('unknown-domain', `"${name.slice(0, 40)}" is no game of this lab; choose ${DOMAIN_NAMES.join(' or ')}.`);
}

/** "chess" as people read it: "Chess". */
export function gameTitle(name: string): string {
  const domain = domainNamed(name);
  return domain.ok ? domain.value.title : name;
}

/** What the game of that name calls its events; moves where there is no such game. */
export function eventName(name: string): EventName {
  const domain = domainNamed(name);
  return domain.ok ? domain.value.eventName : { one: 'move', many: 'moves' };
}

/**
 * The notation that a run's config names; every game has "text", which needs the model's tokenizer. Whole moves are
 * written in the model's tokens; without them it is the notation that they are asked in. Fails with `unknown-domain`,
 * `unknown-notation`, and as `textNotation` and `wholeMoveNotation` do.
 * @param brought the tokens of a model whose notation has none of its own
 */
export function notationOf(
  config: { domain: string; notation: string },
  brought: ModelVocabulary | null = null,
): Result<Notation> {
  const domain = domainNamed(config.domain);
  if (!domain.ok) return domain;
  if (config.notation !== TEXT) return domain.value.notation(config.notation, brought);
  const words = domain.value.notation('splat');
  return words.ok ? textNotation(words.value, brought) : words;
}

/** The slot grammar of a config's notation; null where there is no such notation. */
export function grammarOf(config: { domain: string; notation: string }): SlotGrammar | null {
  const notation = notationOf(config);
  return notation.ok ? notation.value.slots : null;
}

/** The tokens of a config's notation in the order of their ids. */
export function tokensOf(
  config: { domain: string; notation: string },
  brought: ModelVocabulary | null = null,
): Result<readonly string[]> {
  const notation = notationOf(config, brought);
  return notation.ok ? ok(notation.value.vocabulary.tokens) : notation;
}

/**
 * Whether two configs read the same game in the same tokens, so that the weights of one fit a model of the other. Where
 * models bring their tokens, a run takes those of the model that it starts from.
 */
export function haveSameTokens(
  a: { domain: string; notation: string },
  b: { domain: string; notation: string },
): boolean {
  if (bringsTokens(a)) return a.domain === b.domain && a.notation === b.notation;
  const [first, second] = [notationOf(a), notationOf(b)];
  return a.domain === b.domain && first.ok && second.ok && first.value.vocabulary === second.value.vocabulary;
}
