import { fail, ok, type Result } from '../../base/result.ts';
import { firstOf, secondOf, SUB, tokensOf, verbOf, VERBS } from './events.ts';
import { legalEvents } from './rules.ts';
import type { BaseballState } from './state.ts';
import { tokenText } from '../vocabulary.ts';
import { END_TOKEN, LOCATION_TOKEN, PLAYER_TOKEN, VERB_TOKEN, vocabulary } from './vocabulary.ts';

/**
 * The tokens that may legally come next, ascending: the gold set of SPLAT's Legal Verbs task, which the paper scores
 * over the vocabulary. `state` is after the last whole verb; `partial` holds the token ids of a verb begun since: none,
 * the verb, or the verb and its first argument. After the game it is the end token. Fails with `not-legal` where
 * `partial` begins no legal verb. No enumeration by the authors was released, so the grammar is our reading of the
 * rules; legality here and in `legalEvents` is one.
 */
export function nextTokens(state: BaseballState, partial: readonly number[] = []): Result<number[]> {
  const events = legalEvents(state).filter((event) => partial.every((token, i) => tokenAt(event, i) === token));
  if (partial.length > 0 && events.every((event) => lengthOf(event) <= partial.length)) {
    const text = partial.map((token) => tokenText(vocabulary, token)).join(' ');
    return fail('not-legal', `"${text}" begins no legal verb here; give the tokens of one unfinished verb, or none.`);
  }
  if (events.length === 0) return ok([END_TOKEN]);
  const tokens = new Set(events.map((event) => tokenAt(event, partial.length)));
  return ok([...tokens].sort((a, b) => a - b));
}

/**
 * The tokens that legal verbs are spelt with, arguments and all, ascending; after the game the end token. Substitutions
 * are left out, since they may name any of 50 players at any time. The paper's own Legal Verbs seem to have counted
 * these: they are 11.0% of the vocabulary on its released lines, where its random baseline has 11.8 (the tokens that may
 * come next are 3.4%), and they explain why its pre-trained model scores 50.7, no better than any other there, since a
 * model that awaits a verb has no reason to rank a base.
 */
export function spellingOfLegalVerbs(state: BaseballState): number[] {
  const events = legalEvents(state).filter((event) => verbOf(event) !== SUB);
  return events.length === 0 ? [END_TOKEN] : [...new Set(events.flatMap(tokenIdsOf))].sort((a, b) => a - b);
}

/** Token ids of an event. */
export function tokenIdsOf(event: number): number[] {
  return tokensOf(event).map((token) => vocabulary.id(token)!);
}

/** Tokens of an event: one for the verb and one for each argument. */
function lengthOf(event: number): number {
  return 1 + VERBS[verbOf(event)].takes.length;
}

/** The i-th token of an event, or -1 behind its last. */
function tokenAt(event: number, i: number): number {
  const verb = verbOf(event);
  if (i === 0) return VERB_TOKEN + verb;
  const kind = VERBS[verb].takes[i - 1];
  if (kind === undefined) return -1;
  return (kind === 'player' ? PLAYER_TOKEN : LOCATION_TOKEN) + (i === 1 ? firstOf(event) : secondOf(event));
}
