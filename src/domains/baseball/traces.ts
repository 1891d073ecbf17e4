import { fail, ok, type Result } from '../../base/result.ts';
import type { TraceFormat } from '../domain.ts';
import { wordsOfLine } from '../splat-tokens.ts';
import { eventOf, eventText, LOCATIONS, PLAYERS, tokensOf, VERBS } from './events.ts';
import { whyIllegal } from './rules.ts';
import { BaseballState } from './state.ts';

const VERB_NUMBERS = new Map(VERBS.map(({ token }, verb) => [token, verb]));
const LOCATION_NUMBERS = new Map(LOCATIONS.map((name, location) => [`(${name})`, location]));

/** What forbids an event in a state, in words, or null. */
export type Rules = (state: BaseballState, event: number) => string | null;

/** Events read, and the state after them. */
export interface Replayed {
  trace: Uint16Array;
  state: BaseballState;
}

/**
 * Verbs with their arguments, in tokens, to events, each checked against the rules on the way. Failures name the token
 * by its number in the line: `firstToken` is that of tokens[0]. Codes: `not-a-verb`, `bad-argument`, `too-many-players`
 * (an id beyond (id_149)), `illegal-verb`; `where.ply` is the verb's number.
 */
export function replayTokens(
  tokens: readonly string[],
  {
    rules = whyIllegal,
    from = new BaseballState(),
    firstToken = 1,
  }: { rules?: Rules; from?: BaseballState; firstToken?: number } = {},
): Result<Replayed> {
  const state = from.clone();
  const events: number[] = [];
  for (let at = 0; at < tokens.length;) {
    const ply = events.length + 1;
    const event = readEvent(tokens, at, firstToken, ply);
    if (!event.ok) return event;
    const wrong = rules(state, event.value);
    if (wrong !== null) {
      const message = `Token ${at + firstToken}, ${eventText(event.value)}: ${wrong}.`;
      return fail('illegal-verb', message, { ply });
    }
    state.play(event.value);
    events.push(event.value);
    at += tokensOf(event.value).length;
  }
  return ok({ trace: Uint16Array.from(events), state });
}

/** The event whose verb is tokens[at]. */
function readEvent(tokens: readonly string[], at: number, firstToken: number, ply: number): Result<number> {
  const verb = VERB_NUMBERS.get(tokens[at]);
  const wrong = (code: string, offset: number, words: string) =>
    fail(code, `Token ${at + offset + firstToken}: ${words}`, { ply });
  if (verb === undefined) {
    const text = `"${tokens[at].slice(0, 24)}" stands where a verb should, such as <ball> or <advance>.`;
    return wrong('not-a-verb', 0, text);
  }
  const { token, takes } = VERBS[verb];
  const read: number[] = [];
  for (const [i, kind] of takes.entries()) {
    const text = tokens[at + 1 + i];
    const needs = `${token} takes ${takes.length === 1 ? 'one' : 'two'} (${kind === 'player' ? 'players such as (id_100)' : `of (${LOCATIONS.join('), (')})`})`;
    if (text === undefined) return wrong('bad-argument', i, `the line ends within a verb: ${needs}.`);
    const value = kind === 'player' ? playerNumber(text) : LOCATION_NUMBERS.get(text);
    if (value === undefined) return wrong('bad-argument', i + 1, `"${text.slice(0, 24)}" stands where ${needs}.`);
    if (kind === 'player' && value >= PLAYERS)
      return wrong(
        'too-many-players',
        i + 1,
        `${text.slice(0, 24)} is beyond (id_149), the last of the ${PLAYERS} players that the 144 tokens can name; leave this game out.`,
      );
    read.push(value);
  }
  return ok(eventOf(verb, read[0], read[1]));
}

/** 0 for "(id_100)"; undefined where it is no player. */
function playerNumber(text: string): number | undefined {
  const digits = /^\(id_([1-9]\d{2,5})\)$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits) - 100;
}

/** A game a line, in tokens; [start] before it and [end] behind it may be left out, and are when it is written. */
export const traces: TraceFormat = {
  parse(line) {
    const { words, before } = wordsOfLine(line);
    const replayed = replayTokens(words, { firstToken: before + 1 });
    return replayed.ok ? ok(replayed.value.trace) : replayed;
  },
  format: (trace) => Array.from(trace, eventText).join(' '),
};
