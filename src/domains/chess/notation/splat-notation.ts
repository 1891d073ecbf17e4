import type { SlotGrammar } from '../../../base/slot-grammar.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { wordRules } from '../../../base/tokenizer-rules.ts';
import type { Notation, Vocabulary } from '../../domain.ts';
import { splatLabels } from '../../splat-labels.ts';
import { packMove } from '../rules/move.ts';
import { PROMOTIONS, SQUARE_VALUES } from '../rules/pieces.ts';
import { Position } from '../rules/position.ts';
import { illegalMove } from '../replay.ts';
import { SQUARES } from '../rules/squares.ts';
import { uciOf } from '../formats/uci.ts';

const SPECIALS = ['[pad]', '[start]', '[end]', '[sep]', '[white]', '[black]', '[tied]', '[normal]', '[forfeit]'];
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

const [PAD, BEGIN, END] = [0, 1, 2];
const PIECE_TOKEN = SPECIALS.length + 2 * INDICATORS;
const SQUARE_TOKEN = PIECE_TOKEN + SQUARE_VALUES.length;
const MOVE_TOKEN = SQUARE_TOKEN + SQUARES.length;

const ids = new Map(TOKENS.map((token, id) => [token, id]));
/** [packed move] its token; 0 where it has none. */
const tokenOfMove = new Uint16Array(6 << 12);
for (const [i, move] of MOVES.entries()) tokenOfMove[move] = MOVE_TOKEN + i;

const vocabulary: Vocabulary = {
  tokens: TOKENS,
  size: TOKENS.length,
  pad: PAD,
  begin: BEGIN,
  end: END,
  id: (token) => ids.get(token),
};

/** The kinds of token; slot = kind, and one more for Black's moves. */
export const SPLAT_SLOT_KINDS = ['special', 'square', 'piece', 'white move', 'black move'] as const;

/** Chess with a token a move. */
export const splatNotation: Notation = {
  name: 'splat',
  labels: splatLabels(
    'A whole move is one word, “e2e4”, and further words ask questions: what stands on e4, who is ahead. The vocabulary of Demeter and Downey (2021); a model of it answers questions and not squares.',
  ),
  nameShare: 0,
  tokensPer: 'event',
  vocabulary,
  slots: grammar(),
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
  valid,
  mutedInEvaluation: [],
  maxTokens: (events) => events + 2,
};

/** Reads tokens back and checks every move against the rules. */
function decode(tokens: ArrayLike<number>): Result<Uint16Array> {
  if (tokens[0] !== BEGIN) return fail('no-begin', 'The tokens do not start with [start]; put it first.');
  const position = Position.initial();
  const moves: number[] = [];
  let at = 1;
  for (; at < tokens.length && tokens[at] !== END && tokens[at] !== PAD; at++) {
    const move = MOVES[tokens[at] - MOVE_TOKEN];
    if (move === undefined)
      return fail('bad-tokens', `Token ${at + 1}: ${tell(tokens[at])} stands where a move should.`, { ply: at });
    if (!position.tryPlay(move)) return illegalMove(position, move, at);
    moves.push(move);
  }
  for (at = tokens[at] === END ? at + 1 : at; at < tokens.length; at++)
    if (tokens[at] !== PAD)
      return fail('bad-tokens', `${tell(tokens[at])} follows the end of the game (token ${at + 1}).`);
  return ok(Uint16Array.from(moves));
}

/** `Notation.valid`: at every ply the tokens of the legal moves; where the game ends, the end token alone. */
function valid(trace: ArrayLike<number>, tokens: ArrayLike<number>): Int32Array {
  const words = Math.ceil(TOKENS.length / 32);
  const sets = new Int32Array(tokens.length * words);
  const position = Position.initial();
  for (let at = 0; at < tokens.length; at++) {
    const move = at > 0 && at <= trace.length ? trace[at - 1] : null;
    const allowed = move !== null ? position.legalMoves().map((legal) => tokenOfMove[legal]) : [at === 0 ? BEGIN : END];
    const told = move !== null ? tokenOfMove[move] : allowed[0];
    if (at > trace.length + 1 || tokens[at] !== told || !allowed.includes(told))
      throw new Error(`token ${at + 1}, ${tell(tokens[at])}, is no part of this game`);
    for (const token of allowed) sets[at * words + (token >> 5)] |= 1 << (token & 31);
    if (move !== null) position.play(move);
  }
  return sets;
}

/** Two states, the side to move: every move gives the turn to the other side. */
function grammar(): SlotGrammar {
  const slot: number[] = [];
  const next: number[] = [];
  for (const side of [0, 1])
    for (let token = 0; token < TOKENS.length; token++) {
      const isMove = token >= MOVE_TOKEN;
      slot.push(isMove ? 3 + side : token >= SQUARE_TOKEN ? 1 : token >= PIECE_TOKEN ? 2 : 0);
      next.push(isMove ? 1 - side : token === BEGIN ? 0 : side);
    }
  return { count: SPLAT_SLOT_KINDS.length, states: 2, slot, next };
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

function tell(token: number): string {
  return TOKENS[token] ?? `token ${token}`;
}
