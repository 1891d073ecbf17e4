import { slotGrammar, slotsOf } from '../../../base/slot-grammar.ts';
import { BEGIN_TOKEN, KIND_TOKENS, PROMOTION_TOKENS, SQUARE_TOKEN, vocabulary } from './vocabulary.ts';

/** The kinds of token; slot = kind + 5 * side, white first. */
export const SLOT_KINDS = ['special', 'from', 'to', 'piece name', 'promotion'] as const;
const [SPECIAL, FROM, TO, PIECE_NAME, PROMOTION] = [0, 1, 2, 3, 4];
const KINDS = SLOT_KINDS.length;

/** State = 2 * side to move + 1 where the move's end square is expected. */
const STATES = 4;

/**
 * The slots of chess notations, by counting squares: every second square ends a move and gives the turn to the other
 * side. A piece name belongs to the move it begins, a promotion to the move before it. One grammar serves every
 * notation, since all share one vocabulary. Tokens out of place have a slot too and leave the state alone, so that a
 * model may be asked about any sequence.
 */
export const chessSlots = slotGrammar({ count: 2 * KINDS, states: STATES, vocabulary: vocabulary.size }, read);

/** `Notation.begins`: a move begins with the name of its piece, and with the square that it leaves where no name stands. */
export function moveBegins(tokens: ArrayLike<number>): boolean[] {
  const { slots } = slotsOf(chessSlots, tokens);
  const kindAt = (at: number): number => slots[at] % KINDS;
  return Array.from(
    slots,
    (_, at) => kindAt(at) === PIECE_NAME || (kindAt(at) === FROM && (at === 0 || kindAt(at - 1) !== PIECE_NAME)),
  );
}

function read(state: number, token: number): [slot: number, next: number] {
  const side = state >> 1;
  const started = state & 1;
  if (isOneOf(KIND_TOKENS, token)) return [PIECE_NAME + KINDS * side, state];
  if (isOneOf(PROMOTION_TOKENS, token)) return [PROMOTION + KINDS * (started ? side : 1 - side), state];
  if (token >= SQUARE_TOKEN) return [(started ? TO : FROM) + KINDS * side, (state + 1) % STATES];
  return token === BEGIN_TOKEN ? [SPECIAL, 0] : [SPECIAL + KINDS * side, state];
}

function isOneOf(tokens: readonly number[], token: number): boolean {
  return tokens.includes(token);
}
