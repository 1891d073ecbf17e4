import { wordRules, type Replacement, type Split, type TokenizerRules } from '../../../base/tokenizer-rules.ts';
import { SLOT_KINDS } from './slots.ts';
import { vocabulary } from './vocabulary.ts';

const SQUARE = '[a-h][1-8]';
const NAME = '[PNBRQK]';
/** A b that a rank follows is a file. */
const PROMOTION = '[qrbn](?![1-8])';

/** Squares, piece names and promotions wherever they stand; what lies between is dropped, as by the authors' tokenizer. */
const plainRules: TokenizerRules = {
  ...wordRules(vocabulary.tokens),
  splits: [{ pattern: `${SQUARE}|${NAME}|${PROMOTION}`, match: 'kept' }],
};

/** What stands before every square and letter while text is cut; how much of it stays says what the token is. */
const [A, B, C] = ['□', '■', '>'];
const MARKS = A + B + C;
const name = `${MARKS}${NAME}`;
const square = `${MARKS}${SQUARE}`;
const promotion = `${MARKS}${PROMOTION}`;
const white = `(?:${name})?${square}${square}(?:${promotion})?`;
const black = `(?:${name})?(?:${square}){0,2}(?:${promotion})?`;

const marked: Replacement[] = [
  { pattern: '[^a-hPNBRQK1-8qrn]+', content: '' },
  ...[...'abcdefgh'].map((file) => ({ pattern: `${file}(?=[1-8])`, content: `${MARKS}${file}` })),
  { pattern: 'b(?![1-8])', content: `${MARKS}b` },
  ...[...'PNBRQKqrn'].map((letter) => ({ pattern: letter, content: MARKS + letter })),
];

/**
 * Whose move a square belongs to is told by the number of moves before it, which no pattern can count; but cutting the
 * text into pairs of moves counts by twos. Each cut leaves some of the marks with the piece before it, where they are
 * removed in the end, and so takes them from the piece behind it: White's start squares keep three of them, Black's two,
 * White's end squares one and Black's none. Names and promotions are told apart in the same way.
 */
const cuts: Split[] = [
  `${white}${black}`,
  `^${white}${A}`,
  `^${name}`,
  `^${B}${C}${NAME}${A}`,
  `^${B}${C}${SQUARE}${MARKS}`,
  `^${square}${A}${B}`,
  `^${C}${SQUARE}${A}`,
  `^${SQUARE}${A}${B}`,
].map((pattern) => ({ pattern, match: 'isolated' }));

const slotRules: TokenizerRules = {
  normalizer: marked,
  splits: [...cuts, { pattern: `[${MARKS}]+$`, match: 'removed' }],
  piece(token, slot, next) {
    const spelled = vocabulary.tokens[token];
    const kind = SLOT_KINDS[slot % SLOT_KINDS.length];
    const isWhite = slot < SLOT_KINDS.length;
    // Between the squares of a move neither stands; behind a promotion and before a name a new move begins.
    const between = next % 2 === 1;
    if (kind === 'special') return next === 0 ? spelled : null;
    if (kind === 'from') return (isWhite ? MARKS : B + C) + spelled;
    if (kind === 'to') return (isWhite ? C : '') + spelled;
    if (between) return null;
    if (kind === 'piece name') return (isWhite ? MARKS : B + C) + spelled;
    return (isWhite ? B + C : C) + spelled;
  },
  decoder: [
    { pattern: `^${B}${C}(?=[qrbn]$)`, content: '' },
    { pattern: `^${A}?${B}${C}`, content: ' ' },
    { pattern: `^${C}`, content: '' },
  ],
  fused: true,
};

/** How chess written in squares is read from text: "e2e4 e7e5 g1f3", "e2e4 N g8". */
export function chessTokenizerRules(slots: boolean): TokenizerRules {
  return slots ? slotRules : plainRules;
}
