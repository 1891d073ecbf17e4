import { batchOf, rowsOf, type Batch } from '../../base/batch.ts';
import { fail, InputError } from '../../base/result.ts';
import { tokenOfMove, type MoveToken, type MoveTokens } from '../../domains/chess/notation/move-tokens.ts';
import {
  END_TOKEN,
  KIND_TOKENS,
  PROMOTION_TOKENS,
  SQUARE_TOKEN,
  vocabulary,
} from '../../domains/chess/notation/vocabulary.ts';
import { fromSquare, packMove, promotionOf, toSquare } from '../../domains/chess/rules/move.ts';
import { PAWN, type Side } from '../../domains/chess/rules/pieces.ts';
import { Position } from '../../domains/chess/rules/position.ts';
import type { Continuation, Engine, LeafLogits } from '../../engine/engine.ts';
import type { ModelConfig } from '../../models/model.ts';

/** The log-probability of what no move is spelt with; and of a move that the model cannot write at all. */
const NEVER = -100;
const UNWRITABLE = -28;

/** A beginning of a game in squares: the moves of it that are whole, and what is written of the next. */
interface Reading {
  /** Tokens of the model. */
  prefix: number[];
  position: Position | null;
  side: Side;
  kind: number | null;
  from: number | null;
  /** Set where a promotion is still to be written. */
  to: number | null;
}

/** Tokens in squares, two a move, of a game that fits a context of whole moves. */
export const squaresContext = (context: number): number => 2 * context - 1;

/**
 * A model whose tokens are whole moves, asked and answering as one whose tokens are squares. The probability of a start
 * square is the sum over the moves that begin there, and that of an end square after it the sum over those that go on to
 * it: exactly the model's own distribution over squares. A piece's letter before a square leaves the moves that name that
 * piece. What falls on no move and not on the end of the game is left out of the sums over squares; it lowers the
 * probability of a move, and so counts in perplexity. A move that has no token is read as the model's unknown token, and
 * its probability is that token's. What trains it is the engine within.
 */
export function squaresEngine(engine: Engine, tokens: MoveTokens): Engine {
  const model = {
    ...engine.model,
    ...{ vocabulary: vocabulary.size, slots: null, context: squaresContext(engine.model.context) },
  } as ModelConfig;

  async function probabilitiesAfter(readings: readonly Reading[]): Promise<Float64Array[]> {
    const prefixes = new Map(readings.map(({ prefix }) => [prefix.join(), prefix]));
    const rows = [...prefixes.values()];
    const found = await engine.leafLogits(
      rows,
      rows.map(() => []),
    );
    const shares = new Map([...prefixes.keys()].map((key, i) => [key, softmax(found[i].root)]));
    return readings.map(({ prefix }) => shares.get(prefix.join())!);
  }

  /** Log-probabilities [77] of the next token in squares, jointly with what is written of the move. */
  const squaresOf = (reading: Target['reading'], shares: Float64Array): Float64Array => {
    const sums = new Float64Array(vocabulary.size);
    for (const token of tokens.moves)
      if (agrees(reading, token)) {
        const next = nextToken(reading, token.move);
        if (next !== null) sums[next] += shares[token.id];
      }
    if (tokens.end !== null && reading.from === null && reading.kind === null) sums[END_TOKEN] = shares[tokens.end];
    return sums.map((sum) => Math.max(NEVER, Math.log(sum)));
  };

  const leafLogits: Engine['leafLogits'] = async (prefixes, leaves) => {
    const readings = prefixes.map((prefix, i) => [
      read(tokens, prefix),
      ...(leaves[i] ?? []).map((leaf) => read(tokens, [...prefix, leaf])),
    ]);
    const shares = await probabilitiesAfter(readings.flat());
    let at = 0;
    return readings.map((some): LeafLogits => {
      const [root, ...rest] = some.map((reading) => Float32Array.from(squaresOf(reading, shares[at++])));
      return { root, leaves: rest };
    });
  };

  return {
    ...{ name: engine.name, device: engine.device, runAhead: 0, model, leafLogits },
    step: () => Promise.reject(new InputError(untrainable.error)),
    async logProbabilities(batch: Batch) {
      const found = new Float32Array(batch.tokens.length);
      const rows = [...rowsOf(batch)].map((row, i) => targetsOf(tokens, row, batch.offsets[i]));
      // The last move is predicted too, so that a token must follow it, whichever.
      const theirs = batchOf(rows.map(({ prefix }) => [...prefix, tokens.begin]));
      const asked = rows.flatMap(({ prefix, targets }) => prefix.map((_, ply) => targets[ply] ?? []).concat([[]]));
      await engine.targetLogits(theirs, (at, logits) => {
        if (asked[at].length === 0) return;
        const shares = softmax(logits);
        for (const { place, reading, target, unknown } of asked[at]) {
          if (unknown === 'spelt') continue;
          if (unknown === 'begun') {
            const share = tokens.unknown === null ? 0 : shares[tokens.unknown];
            found[place] = Math.max(UNWRITABLE, Math.log(share));
            continue;
          }
          const logs = squaresOf(reading, shares);
          const begins = reading.from === null && reading.kind === null;
          found[place] = Math.max(NEVER, logs[target] - (begins ? 0 : logSum(logs)));
        }
      });
      return found;
    },
    targetLogits: () => Promise.reject(new Error('squares have no logits of their own')),
    continue(prefix): Continuation {
      const written = [...prefix];
      return {
        logits: async () => (await leafLogits([written], [[]]))[0].root,
        advance(token) {
          if (written.length >= model.context)
            throw new RangeError(`${written.length + 1} tokens do not fit the model's context of ${model.context}`);
          written.push(token);
        },
        get length() {
          return written.length;
        },
        dispose: () => {},
      };
    },
    parameters: () => engine.parameters(),
    optimizerState: () => engine.optimizerState(),
    setParameters: (parameters) => engine.setParameters(parameters),
    setOptimizerState: (state) => engine.setOptimizerState(state),
    kernelTimes: () => engine.kernelTimes(),
    measurePeak: () => engine.measurePeak(),
    memory: () => engine.memory(),
    dispose: () => engine.dispose(),
  };
}

const untrainable = fail(
  'whole-moves',
  'A model whose tokens are whole moves learns in them, and not in the squares that it is asked in.',
);

/** Reads squares as far as they go. @throws InputError where a move has no token and nothing stands for it */
function read(tokens: MoveTokens, written: readonly number[]): Reading {
  const reading = beginning(tokens);
  for (const token of written.slice(1)) write(tokens, reading, token);
  return reading;
}

const beginning = ({ begin }: MoveTokens): Reading => ({
  ...{ prefix: [begin], position: Position.initial(), side: 0, kind: null, from: null, to: null },
});

/** Goes on by a token in squares. */
function write(tokens: MoveTokens, reading: Reading, token: number): void {
  const square = token - SQUARE_TOKEN;
  const isSquare = square >= 0 && square < 64;
  const { from, to } = reading;
  if (!isSquare && from === null) reading.kind = Math.max(0, KIND_TOKENS.indexOf(token as 3)) || null;
  else if (from === null) reading.from = square;
  else if (to === null) {
    if (isPromotion(reading, from, square)) reading.to = square;
    else play(tokens, reading, packMove(from, square));
  } else play(tokens, reading, packMove(from, to, Math.max(0, PROMOTION_TOKENS.indexOf(token as 73))));
}

/** A token in squares whose probability is asked for. */
interface Target {
  /** Of the token before it in the batch. */
  place: number;
  /** What is written before it. */
  reading: Pick<Reading, 'kind' | 'from' | 'to'>;
  target: number;
  /** Of a move that is no token of the model: its first token in squares, and those that go on with it. */
  unknown: 'begun' | 'spelt' | null;
}

/** The targets of a row in squares by the plies before them, and its moves in tokens of the model up to the last target. */
function targetsOf(tokens: MoveTokens, row: ArrayLike<number>, offset: number) {
  const written = Array.from(row);
  const targets: Target[][] = [];
  const reading = beginning(tokens);
  let unknown = false;
  for (let at = 0; at + 1 < written.length; at++) {
    if (at > 0) write(tokens, reading, written[at]);
    const { kind, from, to, prefix } = reading;
    const begins = from === null && kind === null;
    if (begins) unknown = wholeMove(tokens, reading, written, at + 1) === null;
    (targets[prefix.length - 1] ??= []).push({
      ...{ place: offset + at, reading: { kind, from, to }, target: written[at + 1] },
      unknown: unknown ? (begins ? 'begun' : 'spelt') : null,
    });
  }
  return { prefix: reading.prefix, targets };
}

function play(tokens: MoveTokens, reading: Reading, move: number): void {
  const { position, side } = reading;
  const id = tokenOfMove(tokens, move, side, position)?.id ?? tokens.unknown;
  if (id === null)
    throw new InputError(
      fail('no-token', 'This game has a move that is no token of the model; leave the game out, or take another model.')
        .error,
    );
  reading.prefix.push(id);
  if (!position?.tryPlay(move)) reading.position = null;
  Object.assign(reading, { side: 1 - side, kind: null, from: null, to: null });
}

const isPromotion = ({ position }: Reading, from: number, to: number): boolean =>
  position !== null && (position.board[from] & 7) === PAWN && (to >> 3 === 0 || to >> 3 === 7);

/** The token of the move that begins at a place; null where it has none, undefined where no whole move stands there. */
function wholeMove(tokens: MoveTokens, { position, side }: Reading, written: readonly number[], at: number) {
  const first = written[at] < SQUARE_TOKEN ? at + 1 : at;
  const [from, to] = [written[first] - SQUARE_TOKEN, written[first + 1] - SQUARE_TOKEN];
  if (!(from >= 0 && from < 64 && to >= 0 && to < 64)) return undefined;
  const promotion = Math.max(0, PROMOTION_TOKENS.indexOf(written[first + 2] as 73));
  return tokenOfMove(tokens, packMove(from, to, promotion), side, position);
}

function agrees({ kind, from, to }: Target['reading'], token: MoveToken): boolean {
  return (
    (kind === null || token.kind === kind) &&
    (from === null || fromSquare(token.move) === from) &&
    (to === null || toSquare(token.move) === to)
  );
}

/** The token in squares that writes a move on; null where nothing is left of it. */
function nextToken({ from, to }: Target['reading'], move: number): number | null {
  if (from === null) return SQUARE_TOKEN + fromSquare(move);
  if (to === null) return SQUARE_TOKEN + toSquare(move);
  return promotionOf(move) === 0 ? null : PROMOTION_TOKENS[promotionOf(move)];
}

function softmax(logits: Float32Array): Float64Array {
  let most = -Infinity;
  for (const logit of logits) most = Math.max(most, logit);
  // By index: with a function for each of two thousand moves this took half of an evaluation.
  const shares = new Float64Array(logits.length);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += shares[i] = Math.exp(logits[i] - most);
  for (let i = 0; i < shares.length; i++) shares[i] /= sum;
  return shares;
}

function logSum(logs: Float64Array): number {
  let sum = 0;
  for (const log of logs) if (log > NEVER) sum += Math.exp(log);
  return Math.max(NEVER, Math.log(sum));
}
