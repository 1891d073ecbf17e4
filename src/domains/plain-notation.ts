import type { SlotGrammar } from '../base/slot-grammar.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { wordRules } from '../base/tokenizer-rules.ts';
import type { Notation, StateVariable, Vocabulary } from './domain.ts';
import { EVENT_WORDS, splatLabels } from './splat-labels.ts';

const SPECIALS = ['[pad]', '[start]', '[end]', '[sep]'];
const [PAD, BEGIN, END] = [0, 1, 2];
/** Question and answer indicators, 16 each as in SPLAT baseball; most are spare. */
const INDICATORS = 16;
/** Tokens told in a message. */
const FEW = 12;

/** The kinds of token; the slot is the kind. */
export const PLAIN_SLOT_KINDS = ['special', 'event', 'variable', 'value', 'question', 'answer'] as const;
const [SPECIAL, EVENT, VARIABLE, VALUE, QUESTION, ANSWER] = [0, 1, 2, 3, 4, 5];

/** The rules of a game with a token an event. `legal` is ascending, and empty once there is an outcome. */
export interface PlainRules<State> {
  initial(): State;
  apply(state: State, event: number): State;
  legal(state: State): number[];
  outcome(state: State): string | null;
  /** The token of every event code. */
  events: readonly string[];
}

/**
 * Events in tokens, each checked against the rules. Failures `not-a-verb` and `illegal-verb` (the codes of baseball),
 * with the 1-based number of the event in `where.ply`.
 */
export function readEvents<State>(rules: PlainRules<State>, tokens: readonly string[]): Result<Uint16Array> {
  const { events, legal, outcome } = rules;
  const trace = new Uint16Array(tokens.length);
  let state = rules.initial();
  for (const [i, token] of tokens.entries()) {
    const ply = i + 1;
    const event = events.indexOf(token);
    const place = `Event ${ply}, "${token.slice(0, 24)}"`;
    if (event < 0)
      return fail('not-a-verb', `${place}, is no event of this game; write one of ${few(events)}.`, { ply });
    const choice = legal(state);
    if (!choice.includes(event)) {
      const end = outcome(state);
      const text =
        end !== null
          ? `the game is over (${end}), so that nothing follows; end the line before it`
          : `the rules do not allow it here; what they allow is ${few(choice.map((code) => events[code])) || 'nothing'}`;
      return fail('illegal-verb', `${place}: ${text}.`, { ply });
    }
    trace[i] = event;
    state = rules.apply(state, event);
  }
  return ok(trace);
}

/**
 * SPLAT's way of writing a game (Demeter and Downey 2021, section 3.2) where every event is one token: [pad] [start]
 * [end] [sep], the events, `[name]` of each variable, the values, Q0 to Q15, A0 to A15. A spelling is one token: values
 * of several variables, a value and an event, or either and an answer indicator that are spelled alike share its id.
 */
export function plainNotation<State>(
  rules: PlainRules<State>,
  variables: readonly Pick<StateVariable<State>, 'name' | 'values'>[],
): Notation {
  const { events } = rules;
  const names = variables.map(({ name }) => `[${name}]`);
  const values = variables.flatMap((variable) => variable.values);
  const indicators = (letter: string) => Array.from({ length: INDICATORS }, (_, i) => letter + i);
  const tokens = [...new Set([...SPECIALS, ...events, ...names, ...values, ...indicators('Q'), ...indicators('A')])];
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const vocabulary: Vocabulary = {
    tokens,
    size: tokens.length,
    pad: PAD,
    begin: BEGIN,
    end: END,
    id: (token) => ids.get(token),
  };
  const tokenOf = (event: number): number => {
    const token = ids.get(events[event]);
    if (token === undefined) throw new RangeError(`${event} is no event of this game`);
    return token;
  };
  const textOf = (token: number): string => tokens[token] ?? `token ${token}`;
  const slots = grammar(tokens, { events: new Set(events), names: new Set(names), values: new Set(values) });

  return {
    name: 'splat',
    labels: splatLabels(EVENT_WORDS),
    nameShare: 0,
    tokensPer: 'event',
    vocabulary,
    slots,
    // Words that are a value behind a variable's name and an event elsewhere cannot be told apart by themselves.
    tokenizerRules: (withSlots) => (withSlots && ambiguous(slots) ? null : wordRules(tokens)),
    encode: (trace, { closed }) => [BEGIN, ...Array.from(trace, tokenOf), ...(closed ? [END] : [])],
    decode: (given) => {
      if (given[0] !== BEGIN) return fail('no-begin', 'The tokens do not start with [start]; put it first.');
      let end = 1;
      while (end < given.length && given[end] !== END && given[end] !== PAD) end++;
      for (let at = given[end] === END ? end + 1 : end; at < given.length; at++)
        if (given[at] !== PAD)
          return fail('bad-tokens', `${textOf(given[at])} follows the end of the game (token ${at + 1}).`);
      return readEvents(
        rules,
        Array.from({ length: end - 1 }, (_, i) => textOf(given[i + 1])),
      );
    },
    valid: (trace, given) => {
      const words = Math.ceil(tokens.length / 32);
      const sets = new Int32Array(given.length * words);
      let state = rules.initial();
      for (let at = 0; at < given.length; at++) {
        const event = at > 0 && at <= trace.length ? trace[at - 1] : null;
        const allowed = event !== null ? rules.legal(state).map(tokenOf) : [at === 0 ? BEGIN : END];
        const told = event !== null ? tokenOf(event) : allowed[0];
        if (at > trace.length + 1 || given[at] !== told || !allowed.includes(told))
          throw new Error(`token ${at + 1}, ${textOf(given[at])}, is no part of this game`);
        for (const token of allowed) sets[at * words + (token >> 5)] |= 1 << (token & 31);
        if (event !== null) state = rules.apply(state, event);
      }
      return sets;
    },
    mutedInEvaluation: [],
    maxTokens: (count) => count + 2,
  };
}

/**
 * The slots by kind of token. Two states: behind the name of a variable stands a value, anywhere else an event, which
 * tells the two apart where they share a token. Whose turn it is cannot be told without the rules.
 */
function grammar(
  tokens: readonly string[],
  { events, names, values }: Record<'events' | 'names' | 'values', ReadonlySet<string>>,
): SlotGrammar {
  const kindOf = (token: string, named: boolean): number => {
    if (SPECIALS.includes(token)) return SPECIAL;
    if (names.has(token)) return VARIABLE;
    if (values.has(token) && (named || !events.has(token))) return VALUE;
    if (events.has(token)) return EVENT;
    return token.startsWith('Q') ? QUESTION : ANSWER;
  };
  const slot = [false, true].flatMap((named) => tokens.map((token) => kindOf(token, named)));
  return { count: PLAIN_SLOT_KINDS.length, states: 2, slot, next: slot.map((kind) => (kind === VARIABLE ? 1 : 0)) };
}

/** Whether a token has one slot in the one state and another in the other. */
function ambiguous({ slot, states }: SlotGrammar): boolean {
  const size = slot.length / states;
  return slot.some((kind, at) => kind !== slot[at % size]);
}

function few(tokens: readonly string[]): string {
  return tokens.length <= FEW ? tokens.join(' ') : `${tokens.slice(0, FEW).join(' ')} and ${tokens.length - FEW} more`;
}
