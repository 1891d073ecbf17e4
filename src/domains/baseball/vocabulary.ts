import { SPLAT_SPECIALS } from '../splat-tokens.ts';
import { vocabularyOf } from '../vocabulary.ts';
import { LOCATIONS, PLAYERS, playerToken, VERBS } from './events.ts';

/** The eleven state variables by name; as tokens they stand in square brackets. */
export const VARIABLE_NAMES = [
  ...(['inning', 'half', 'outs', 'balls', 'strikes', 'away', 'home'] as const),
  ...(['plate', 'first', 'second', 'third'] as const),
];
export type VariableName = (typeof VARIABLE_NAMES)[number];

/** What an empty base holds. */
export const EMPTY = '___';
/** Numbers 0 to 29 are tokens. */
export const NUMBERS = 30;
const INDICATORS = 16;

const counted = (n: number, name: (i: number) => string) => Array.from({ length: n }, (_, i) => name(i));

/**
 * The 144 tokens. Known from the paper (section 4.2, figure 4) and the released lines: the size, the eleven verbs, five
 * locations, eleven variables, [start], [sep], [end], '___', and the spelling of player ids, numbers and indicators
 * (83 tokens occur). Our reconstruction, since no list was released: the order; 50 player ids (36 occur), 30 numbers
 * (0 to 9 occur), 16 question and 16 answer indicators (three of each occur), and [pad], which batches need. They add up
 * to 144, which says that the sum is right and nothing of how the authors split it.
 */
const TOKENS = [
  ...SPLAT_SPECIALS,
  EMPTY,
  ...VERBS.map(({ token }) => token),
  ...LOCATIONS.map((location) => `(${location})`),
  ...VARIABLE_NAMES.map((name) => `[${name}]`),
  ...counted(PLAYERS, playerToken),
  ...counted(NUMBERS, String),
  ...counted(INDICATORS, (i) => `Q${i}`),
  ...counted(INDICATORS, (i) => `A${i}`),
];

export const BEGIN_TOKEN = 1;
export const END_TOKEN = 2;
/** Tokens of verb 0, location 0 and player 0; the others follow. */
export const VERB_TOKEN = 5;
export const LOCATION_TOKEN = VERB_TOKEN + VERBS.length;
export const PLAYER_TOKEN = LOCATION_TOKEN + LOCATIONS.length + VARIABLE_NAMES.length;

export const vocabulary = vocabularyOf(TOKENS);
