import * as v from 'valibot';
import { fail, ok, type Result } from '../../base/result.ts';
import { count } from '../../config/fields.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { parsePrompt, type Prompt, type Query } from '../../domains/chess/prompt.ts';
import { positionAfter } from '../../domains/chess/replay.ts';
import { squareName } from '../../domains/chess/rules/squares.ts';
import { uciOf } from '../../domains/chess/formats/uci.ts';
import type { Engine } from '../../engine/engine.ts';
import { answerPrompt } from '../asking/answer-prompt.ts';
import type { Measuring } from '../asking/measuring.ts';
import type { PromptAnswer } from '../asking/prompt-answer.ts';
import { fitsPrompt } from '../asking/prompting.ts';
import { comparePrompts, tooLong, type PromptComparison } from './compare-prompts.ts';
import { counterfactual, type Counterfactual, type Edit } from './counterfactual.ts';

const square = count(0, 63);
const whole = v.pipe(v.number(), v.integer());

/** A move sequence, and what is to be different in it. */
export const whatIfSettings = v.object({
  prompt: v.optional(v.string(), ''),
  /** A change of its last board, or of its last plies; a `line` of null is drawn by the seed. */
  edit: v.optional(
    v.variant('kind', [
      v.object({ kind: v.literal('remove'), square }),
      v.object({ kind: v.literal('move'), from: square, to: square }),
      v.object({ kind: v.literal('add'), square, piece: whole }),
      v.object({ kind: v.literal('instead'), plies: whole, line: v.nullable(v.string()) }),
    ]),
    { kind: 'instead', plies: 1, line: null },
  ),
  /** 'rules': every move stays legal. 'tokens': pieces may jump; the tokens say so, the rules do not. */
  legality: v.optional(v.picklist(['rules', 'tokens']), 'rules'),
  seed: v.optional(v.number(), 1),
});
export type WhatIfRequest = v.InferOutput<typeof whatIfSettings>;

export interface WhatIfReport {
  /** Both prompts in canonical UCI text. */
  first: string;
  second: string;
  /** [64] piece codes of the first prompt's last board. */
  board: Uint8Array;
  counterfactual: Counterfactual;
  /** What both were asked. */
  query: Query;
  /** The answers to both, all tokens judged. */
  answers: [PromptAnswer, PromptAnswer];
  comparison: PromptComparison;
}

/** The move sequence with one thing changed, and what the model says at the end of both. */
export async function whatIf(
  engine: Engine,
  notation: Notation,
  request: WhatIfRequest,
  { step, clock = () => 0, onProgress, ...pace }: Measuring & { step: number },
): Promise<Result<WhatIfReport>> {
  const prompt = parsePrompt(request.prompt);
  if (!prompt.ok) return prompt;
  const first = prompt.value;
  if (first.moves.length === 0)
    return fail('no-moves', 'There are no moves yet, so nothing can be different; write some, such as e2e4 e7e5.');
  const edit = editOf(first, request);
  if (!edit.ok) return edit;
  onProgress?.({ label: 'Looking for moves that end so', share: 0 });
  const { legality, seed } = request;
  const altered = await counterfactual(first.moves, edit.value, { ...pace, legality, seed });
  if (!altered.ok) return altered;
  onProgress?.({ label: 'Asking the model about both', share: 0.9 });
  const changed = positionAfter(altered.value.moves);
  const lost = lostText(first, changed);
  const query: Query = lost === '' ? first.query : { kind: 'next' };
  const one = asking(first.moves, first.position, query);
  const other = asking(altered.value.moves, changed, query);
  const comparison = await comparePrompts(engine, notation, one, other);
  if (!comparison.ok) return comparison;
  const { context } = engine.model;
  if (!fitsPrompt(one.moves, notation, context) || !fitsPrompt(other.moves, notation, context)) return tooLong(context);
  const answerTo = (asked: Prompt): Promise<PromptAnswer> =>
    answerPrompt(engine, notation, asked, step, clock, notation.vocabulary.size);
  return ok({
    first: one.canonical,
    second: other.canonical,
    board: Uint8Array.from(first.position.board),
    counterfactual: { ...altered.value, description: altered.value.description + lost },
    query,
    answers: [await answerTo(one), await answerTo(other)],
    comparison: comparison.value,
  });
}

/** The edit with its other continuation read: legal moves in any notation that prompts take. */
function editOf({ uci }: Prompt, { edit }: WhatIfRequest): Result<Edit> {
  if (edit.kind !== 'instead') return ok(edit);
  const { plies, line } = edit;
  if (line === null) return ok({ kind: 'instead', plies });
  const kept = uci.slice(0, Math.max(0, uci.length - plies));
  const read = parsePrompt([...kept, line].join(' '));
  if (!read.ok) return read;
  if (read.value.query.kind !== 'next')
    return fail('not-a-line', `The other moves must be whole ones; "${line.slice(-20)}" ends in the middle of one.`);
  return ok({ kind: 'instead', plies, line: Array.from(read.value.moves.subarray(kept.length)) });
}

/** Why the question cannot be asked of the changed prefix, as a sentence to add to others; '' where it can. */
function lostText({ query }: Prompt, changed: Position): string {
  if (query.kind !== 'end') return '';
  const code = changed.pieceAt(query.from);
  if (code !== 0 && code >> 3 === changed.turn) return '';
  return ` No piece of the side to move stands on ${squareName(query.from)} any more, so the model is asked what comes next after both.`;
}

/** A prompt of moves with a question; moves that break the rules are no prompt that parsePrompt would read. */
function asking(moves: Uint16Array, position: Position, query: Query): Prompt {
  const uci = Array.from(moves, uciOf);
  const asked = query.kind === 'end' ? [squareName(query.from)] : query.kind === 'start' ? [query.piece] : [];
  return { moves, uci, position, query, canonical: [...uci, ...asked].join(' ') };
}
