import type { SlotGrammar } from '../base/slot-grammar.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { wordRules } from '../base/tokenizer-rules.ts';
import type { Notation, StateVariable } from './domain.ts';
import { EVENT_WORDS, splatLabels } from './splat-labels.ts';
import { SPLAT, SPLAT_SPECIALS, validEvents, wordsOfGame } from './splat-tokens.ts';
import { vocabularyOf } from './vocabulary.ts';

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
  const tokens = [
    ...new Set([...SPLAT_SPECIALS, ...events, ...names, ...values, ...indicators('Q'), ...indicators('A')]),
  ];
  const vocabulary = vocabularyOf(tokens);
  const { begin, end } = vocabulary;
  const tokenOf = (event: number): number => {
    const token = vocabulary.id(events[event]);
    if (token === undefined) throw new RangeError(`${event} is no event of this game`);
    return token;
  };
  const slots = grammar(tokens, { events: new Set(events), names: new Set(names), values: new Set(values) });

  return {
    ...SPLAT,
    labels: splatLabels(EVENT_WORDS),
    vocabulary,
    slots,
    // Words that are a value behind a variable's name and an event elsewhere cannot be told apart by themselves.
    tokenizerRules: (withSlots) => (withSlots && ambiguous(slots) ? null : wordRules(tokens)),
    encode: (trace, { closed }) => [begin, ...Array.from(trace, tokenOf), ...(closed ? [end] : [])],
    decode: (given) => {
      const words = wordsOfGame(vocabulary, given);
      return words.ok ? readEvents(rules, words.value) : words;
    },
    valid: (trace, given) => {
      let state = rules.initial();
      const legal = () => rules.legal(state);
      return validEvents(vocabulary, trace, given, {
        ...{ tokenOf, legal, play: (event) => (state = rules.apply(state, event)) },
      });
    },
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
    if (SPLAT_SPECIALS.includes(token)) return SPECIAL;
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
