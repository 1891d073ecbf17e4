/**
 * The grammar of a notation as a finite automaton over token ids: what kind of token stands here and whose move it
 * belongs to, told from the spelling alone ("counting squares"). A model with a slot embedding adds one learned vector
 * for each of these slots to its input. It holds no knowledge of the game itself: for chess, ten slots, (begin or end,
 * from, to, piece name, promotion) x (white, black).
 */
export interface SlotGrammar {
  /** Number of slots. */
  count: number;
  /** Number of states; a sequence starts in state 0. */
  states: number;
  /** [states * vocabulary] slot of a token read in a state. */
  slot: readonly number[];
  /** [states * vocabulary] state after it. */
  next: readonly number[];
}

/** The grammar by what it reads of each token in each state: the slot, and the state after it. */
export function slotGrammar(
  sizes: { count: number; states: number; vocabulary: number },
  read: (state: number, token: number) => readonly [slot: number, next: number],
): SlotGrammar {
  const { count, states, vocabulary } = sizes;
  const found = Array.from({ length: states * vocabulary }, (_, at) =>
    read(Math.floor(at / vocabulary), at % vocabulary),
  );
  return { count, states, slot: found.map(([slot]) => slot), next: found.map(([, next]) => next) };
}

/** Slots of a sequence read from a state (0 where it begins), and the state after its last token. */
export function slotsOf(
  grammar: SlotGrammar,
  tokens: ArrayLike<number>,
  from = 0,
): { slots: Int32Array; state: number } {
  const vocabulary = grammar.slot.length / grammar.states;
  const slots = new Int32Array(tokens.length);
  let state = from;
  for (let i = 0; i < tokens.length; i++) {
    const at = state * vocabulary + tokens[i];
    slots[i] = grammar.slot[at];
    state = grammar.next[at];
  }
  return { slots, state };
}

/** Slot of one token read in a state, as a leaf after a prefix needs it. */
export function slotAfter(grammar: SlotGrammar, state: number, token: number): number {
  return grammar.slot[state * (grammar.slot.length / grammar.states) + token];
}
