import { slotGrammar } from '../../../base/slot-grammar.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { wordRules } from '../../../base/tokenizer-rules.ts';
import type { Notation } from '../../domain.ts';
import { splatLabels } from '../../splat-labels.ts';
import { noBegin, SPLAT, SPLAT_SPECIALS, validEvents } from '../../splat-tokens.ts';
import { followedBy, tokenText, vocabularyOf } from '../../vocabulary.ts';
import { packMove } from '../rules/move.ts';
import { PROMOTIONS, SQUARE_VALUES } from '../rules/pieces.ts';
import { Position } from '../rules/position.ts';
import { illegalMove } from '../replay.ts';
import { SQUARES } from '../rules/squares.ts';
import { uciOf } from '../formats/uci.ts';

const SPECIALS = [...SPLAT_SPECIALS, '[white]', '[black]', '[tied]', '[normal]', '[forfeit]'];
const INDICATORS = 48;

/** Every move that can be written: from each square to each other, and promotions; packed (move.ts). */
const MOVES = [...pairs(), ...promotions()];

/**
 * The 4,390 tokens of SPLAT chess (Demeter and Downey, CoNLL 2021, section 4.1, figure 3): one for each move. Known: the
 * size, the kinds of token, and the spelling of moves, squares, pieces, [start], [sep], [end] and the indicators that
 * occur in the released lines. Our reconstruction, since no list was released: 4,032 pairs of squares and 176 promotions
 * (the geometry of pieces allows 1,968 moves, so the published number counts pairs that none can make), 64 squares, 13
 * pieces, and 105 others: nine special ones ([pad] and the spelling of winner and ending are ours) and 48 question and
 * 48 answer indicators, most of them spare.
 */
const TOKENS = [
  ...SPECIALS,
  ...['Q', 'A'].flatMap((letter) => Array.from({ length: INDICATORS }, (_, i) => `${letter}${i}`)),
  ...SQUARE_VALUES,
  ...SQUARES,
  ...MOVES.map(uciOf),
];

const PIECE_TOKEN = SPECIALS.length + 2 * INDICATORS;
const SQUARE_TOKEN = PIECE_TOKEN + SQUARE_VALUES.length;
const MOVE_TOKEN = SQUARE_TOKEN + SQUARES.length;

/** [packed move] its token; 0 where it has none. */
const tokenOfMove = new Uint16Array(6 << 12);
for (const [i, move] of MOVES.entries()) tokenOfMove[move] = MOVE_TOKEN + i;

const vocabulary = vocabularyOf(TOKENS);
const { pad: PAD, begin: BEGIN, end: END } = vocabulary;

/** The kinds of token; slot = kind, and one more for Black's moves. */
export const SPLAT_SLOT_KINDS = ['special', 'square', 'piece', 'white move', 'black move'] as const;

/** Chess with a token a move. */
export const splatNotation: Notation = {
  ...SPLAT,
  labels: splatLabels(
    'A whole move is one word, “e2e4”, and further words ask questions: what stands on e4, who is ahead. The vocabulary of Demeter and Downey (2021); a model of it answers questions and not squares.',
  ),
  vocabulary,
  slots: slotGrammar({ count: SPLAT_SLOT_KINDS.length, states: 2, vocabulary: TOKENS.length }, read),
  tokenizerRules: (slots) => (slots ? null : wordRules(TOKENS)),
  encode: (trace, { closed }) => {
    const tokens = [BEGIN];
    for (let ply = 0; ply < trace.length; ply++) {
      const token = tokenOfMove[trace[ply]];
      if (!token) throw new RangeError(`${trace[ply]} is not a move that can be written (ply ${ply + 1})`);
      tokens.push(token);
    }
    if (closed) tokens.push(END);
    return tokens;
  },
  decode,
  valid(trace, tokens) {
    const position = Position.initial();
    return validEvents(vocabulary, trace, tokens, {
      tokenOf: (move) => tokenOfMove[move],
      legal: () => position.legalMoves(),
      play: (move) => position.play(move),
    });
  },
  maxTokens: (events) => events + 2,
};

/** Reads tokens back and checks every move against the rules. */
function decode(tokens: ArrayLike<number>): Result<Uint16Array> {
  if (tokens[0] !== BEGIN) return noBegin;
  const position = Position.initial();
  const moves: number[] = [];
  let at = 1;
  for (; at < tokens.length && tokens[at] !== END && tokens[at] !== PAD; at++) {
    const move = MOVES[tokens[at] - MOVE_TOKEN];
    if (move === undefined)
      return fail('bad-tokens', `Token ${at + 1}: ${tokenText(vocabulary, tokens[at])} stands where a move should.`, {
        ply: at,
      });
    if (!position.tryPlay(move)) return illegalMove(position, move, at);
    moves.push(move);
  }
  return followedBy(vocabulary, tokens, at) ?? ok(Uint16Array.from(moves));
}

/** Two states, the side to move: every move gives the turn to the other side. */
function read(side: number, token: number): [slot: number, next: number] {
  if (token >= MOVE_TOKEN) return [3 + side, 1 - side];
  return [token >= SQUARE_TOKEN ? 1 : token >= PIECE_TOKEN ? 2 : 0, token === BEGIN ? 0 : side];
}

function* pairs(): Generator<number> {
  for (let from = 0; from < 64; from++) for (let to = 0; to < 64; to++) if (from !== to) yield packMove(from, to);
}

/** From the seventh rank to the eighth and from the second to the first, straight or by capture: 44 pairs, four kinds. */
function* promotions(): Generator<number> {
  for (const [fromRank, toRank] of [
    [6, 7],
    [1, 0],
  ])
    for (let file = 0; file < 8; file++)
      for (let toFile = Math.max(0, file - 1); toFile <= Math.min(7, file + 1); toFile++)
        for (const kind of PROMOTIONS) yield packMove(fromRank * 8 + file, toRank * 8 + toFile, kind);
}
