import { slotGrammar } from '../../base/slot-grammar.ts';
import { LOCATIONS, NEWBATTER, PLAYERS, SUB, VERBS } from './events.ts';
import { LOCATION_TOKEN, PLAYER_TOKEN, VERB_TOKEN, vocabulary } from './vocabulary.ts';

/** The kinds of token; the slot is the kind. */
export const SLOT_KINDS = [
  'special',
  'verb',
  'batter',
  'substitute',
  'player replaced',
  'base',
  'base reached',
  'question part',
] as const;
const [SPECIAL, VERB, BATTER, SUBSTITUTE, REPLACED, BASE, REACHED, QUESTION] = [0, 1, 2, 3, 4, 5, 6, 7];

/** What the verb read last still wants. */
const [NOTHING, WANTS_BATTER, WANTS_SUBSTITUTE, WANTS_REPLACED, WANTS_BASE, WANTS_FROM, WANTS_TO] = [
  0, 1, 2, 3, 4, 5, 6,
];

/**
 * The slots of SPLAT baseball: verb or argument, and which argument, from the spelling alone. Unlike chess there are no
 * sides, because whose turn it is cannot be told without counting outs. A token out of place has the slot of its kind
 * and ends the verb, so that a model may be asked about any sequence.
 */
export const baseballSlots = slotGrammar({ count: SLOT_KINDS.length, states: 7, vocabulary: vocabulary.size }, read);

function read(state: number, token: number): [slot: number, next: number] {
  if (token < VERB_TOKEN) return [SPECIAL, NOTHING];
  if (token < LOCATION_TOKEN) return [VERB, wantedBy(token - VERB_TOKEN)];
  if (token < LOCATION_TOKEN + LOCATIONS.length) {
    if (state === WANTS_TO) return [REACHED, NOTHING];
    return [BASE, state === WANTS_FROM ? WANTS_TO : NOTHING];
  }
  if (token >= PLAYER_TOKEN && token < PLAYER_TOKEN + PLAYERS) {
    if (state === WANTS_SUBSTITUTE) return [SUBSTITUTE, WANTS_REPLACED];
    if (state === WANTS_REPLACED) return [REPLACED, NOTHING];
    return [state === WANTS_BATTER ? BATTER : QUESTION, NOTHING];
  }
  return [QUESTION, NOTHING];
}

function wantedBy(verb: number): number {
  if (verb === NEWBATTER) return WANTS_BATTER;
  if (verb === SUB) return WANTS_SUBSTITUTE;
  return [NOTHING, WANTS_BASE, WANTS_FROM][VERBS[verb].takes.length];
}
