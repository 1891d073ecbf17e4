import { SQUARES } from '../../domains/chess/rules/squares.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { mute } from './metrics.ts';

/** One game's prompts: the moves before them, and for each the tokens that follow the moves (at least one). */
export interface Asked {
  trace: Uint16Array;
  prompts: readonly (readonly number[])[];
}

/** A prefix that a model runs once, and the prompts that end one token later. */
interface PromptRow {
  asked: number;
  prefix: number[];
  leaves: { prompt: number; token: number }[];
}

/**
 * Tokens of the question where a piece goes: its square, and before it, for a model that always sees piece names, its
 * letter. Both must be tokens of the notation.
 */
export function endPrompt(notation: Notation, piece: string, from: string): number[] {
  const square = notation.vocabulary.id(from)!;
  return namesEveryPiece(notation) ? [notation.vocabulary.id(piece)!, square] : [square];
}

/** Token of each square, a1 first. */
export function squareTokens(notation: Notation): number[] {
  return SQUARES.map((name) => notation.vocabulary.id(name)!);
}

/** Whether every move carries its piece's name, in evaluation too (UCI+AP, the testbed's oracle). */
export function namesEveryPiece(notation: Notation): boolean {
  return notation.name === 'ap';
}

/** Whether a model of this notation has ever seen piece names and can be asked with one (paper, section 4.2). */
export function knowsPieceNames(notation: Notation): boolean {
  return notation.nameShare > 0;
}

/** Whether a model of this context can read the moves and the tokens of any question about them. */
export function fitsPrompt(trace: Uint16Array, notation: Notation, context: number): boolean {
  const asked = namesEveryPiece(notation) ? 2 : 1;
  return notation.encode(trace, { random: null, closed: false }).length + asked <= context;
}

/**
 * Asks every prompt of every game and hands over each one's next-token logits [V], muted as the notation says. A game
 * whose prompts are one token each is run once (leafLogits); prompts of two tokens give it a row for each first token.
 * Rows go in the order of their lengths, which saves padding, so that answers come in no order of the games'.
 */
export async function askPrompts(
  engine: Engine,
  notation: Notation,
  asked: readonly Asked[],
  options: {
    rowsPerBatch: number;
    pause?: () => Promise<void>;
    /** Share of the rows that are answered. */
    onShare?: (share: number) => void;
  },
  onLogits: (asked: number, prompt: number, logits: Float32Array) => void,
): Promise<void> {
  const rows = asked.flatMap((game, i) => rowsOf(game, i, notation));
  rows.sort((a, b) => a.prefix.length - b.prefix.length);
  for (let at = 0; at < rows.length; at += options.rowsPerBatch) {
    const batch = rows.slice(at, at + options.rowsPerBatch);
    const answers = await engine.leafLogits(
      batch.map(({ prefix }) => prefix),
      batch.map(({ leaves }) => leaves.map(({ token }) => token)),
    );
    batch.forEach((row, r) =>
      row.leaves.forEach(({ prompt }, leaf) =>
        onLogits(row.asked, prompt, mute(answers[r].leaves[leaf], notation.mutedInEvaluation)),
      ),
    );
    options.onShare?.((at + batch.length) / rows.length);
    await options.pause?.();
  }
}

function rowsOf({ trace, prompts }: Asked, asked: number, notation: Notation): PromptRow[] {
  const moves = notation.encode(trace, { random: null, closed: false });
  const byStart = new Map<string, PromptRow>();
  prompts.forEach((tokens, prompt) => {
    const start = tokens.slice(0, -1);
    const key = start.join();
    const row = byStart.get(key) ?? { asked, prefix: [...moves, ...start], leaves: [] };
    row.leaves.push({ prompt, token: tokens[tokens.length - 1] });
    byStart.set(key, row);
  });
  return [...byStart.values()];
}
