import type { Failure, Result } from '../../../base/result.ts';
import type { Candidate, PromptAnswer } from '../../../studies/asking/prompt-answer.ts';
import type { PieceLetter } from '../../../domains/chess/rules/pieces.ts';
import { parsePrompt } from '../../../domains/chess/prompt.ts';
import { uciOf } from '../../../domains/chess/formats/uci.ts';
import { squareName } from '../../../domains/chess/rules/squares.ts';
import { explainedOf } from '../../board/explained.ts';
import { Question } from './question.svelte.ts';
import { legalSquares, movesBetween, movesText, read } from './reading.ts';

/** Asks the model; null where there is no model yet, or where the reason was told elsewhere. */
export type Ask = (prompt: string) => Promise<Result<PromptAnswer> | null>;

const examples = [
  'e2e4 e7e5 g1f3 b8c6 d2d4 h7h6 f1',
  'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 N',
  'd2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8b4 c3',
  'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 f1',
  'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 Q',
];

/** Milliseconds without a key after which the next begins a new step of undo. */
const PAUSE_OF_TYPING = 600;

/** The prompt being looked at: its text, the board it leads to, and what the model says after it. */
export class PromptState {
  text = $state(examples[0]);
  flipped = $state(false);
  /** Why the last thing tried on the board did nothing; cleared by the next change. */
  refusal = $state('');
  /** A candidate that is hovered or focused; its reasons are drawn on the board. */
  pointed = $state<number | null>(null);
  /** What a pawn that was moved to its last rank may become, until a person has chosen or the prompt is another. */
  promotions = $state.raw<readonly number[] | null>(null);

  reading = $derived(read(this.text));
  readonly #question: Question<string, PromptAnswer>;
  /** The newest answer; while another is awaited, that to an earlier prompt. */
  latest = $derived.by(() => this.#question.latest?.answer ?? null);
  /** The answer to this very prompt: only this is painted on the board. */
  answer = $derived(
    this.latest !== null && this.latest.canonical === this.reading.prompt.canonical ? this.latest : null,
  );
  /** The ringed squares: those that the answer was judged by, and until there is one those of a model without names. */
  legal = $derived(
    this.answer !== null && this.reading.prompt.query.kind !== 'next'
      ? this.answer.legal
      : legalSquares(this.reading.prompt),
  );
  undoable = $state(false);

  #before: string[] = [];
  #typing: ReturnType<typeof setTimeout> | undefined;
  #example = 0;

  constructor(ask: Ask) {
    this.#question = new Question(ask, () => (this.reading.failure === null ? this.reading.prompt.canonical : null));
  }

  /** Why the model cannot answer this prompt (too long for its context, say). */
  get unanswered(): Failure | null {
    return this.#question.unanswered;
  }

  /** The candidate whose reasons the board draws: the pointed one, or the likeliest wrong one. */
  get explained(): Candidate | null {
    return explainedOf(this.answer?.candidates ?? [], this.pointed);
  }

  /** What an address says of it (session/address.ts). */
  get link(): string {
    return this.text === examples[0] || this.reading.failure !== null ? '' : this.reading.prompt.canonical;
  }

  /** Takes a prompt from an address. */
  open(line: string): Result<unknown> {
    const read = parsePrompt(line);
    if (read.ok) this.write(read.value.canonical);
    return read;
  }

  /** Replaces the text; typing keeps one undo step for each pause, everything else its own. */
  write(text: string, typed = false): void {
    if (text === this.text) return;
    if (!typed || this.#typing === undefined) this.#before.push(this.text);
    clearTimeout(this.#typing);
    this.#typing = typed ? setTimeout(() => (this.#typing = undefined), PAUSE_OF_TYPING) : undefined;
    this.undoable = true;
    this.text = text;
    this.refusal = '';
    this.promotions = null;
    this.#question.unanswered = null;
    this.pointed = null;
    void this.askNow();
  }

  undo(): void {
    const text = this.#before.pop();
    this.undoable = this.#before.length > 0;
    if (text === undefined) return;
    clearTimeout(this.#typing);
    this.#typing = undefined;
    this.text = text;
    this.refusal = '';
    this.promotions = null;
    void this.askNow();
  }

  /** Makes pasted SAN or PGN canonical. */
  tidy(): void {
    const { failure, prompt } = this.reading;
    if (failure === null) this.write(prompt.canonical);
  }

  /**
   * Plays a move on the board: appended where it is legal, refused with the reason where not. A promotion waits for
   * `promote`.
   */
  play(from: number, to: number): boolean {
    const { prompt } = this.reading;
    const found = movesBetween(prompt.position, from, to);
    if ('why' in found) {
      this.refusal = found.why;
      return false;
    }
    const { moves } = found;
    if (moves.length > 1) {
      this.refusal = '';
      this.promotions = moves;
      return false;
    }
    this.#append(moves[0]);
    return true;
  }

  /** Ends a promotion with one of its moves; null takes it back. */
  promote(move: number | null): void {
    this.promotions = null;
    if (move !== null) this.#append(move);
  }

  #append(move: number): void {
    this.write(`${movesText(this.reading.prompt)} ${uciOf(move)}`.trim());
  }

  /** A square was chosen: it becomes the question, ends a move begun there, or takes the question back. */
  choose(square: number): void {
    const { prompt } = this.reading;
    const { position, query } = prompt;
    const code = position.pieceAt(square);
    const own = code !== 0 && code >> 3 === position.turn;
    if (query.kind === 'end' && query.from === square) this.write(movesText(prompt));
    else if (own) this.write(`${movesText(prompt)} ${squareName(square)}`.trim());
    else if (query.kind === 'end') this.play(query.from, square);
    else
      this.refusal =
        code === 0
          ? `${squareName(square)} is empty. Choose a piece first.`
          : `It is ${position.turn === 0 ? 'White' : 'Black'}'s move.`;
  }

  /** Asks where a piece of this kind stands, or takes that question back. */
  askPiece(piece: PieceLetter): void {
    const { prompt } = this.reading;
    const same = prompt.query.kind === 'start' && prompt.query.piece === piece;
    this.write(`${movesText(prompt)}${same ? '' : ` ${piece}`}`.trim());
  }

  /** Writes a candidate's token at the end, as the model would. */
  accept(candidate: Candidate): void {
    if (candidate.square === null) {
      // Of tokens that are no square only a piece name is ever legal.
      if (candidate.legal) this.askPiece(candidate.token as PieceLetter);
      return;
    }
    const { prompt } = this.reading;
    if (prompt.query.kind === 'end') this.play(prompt.query.from, candidate.square);
    else this.choose(candidate.square);
  }

  /** Takes back the question, or the last ply where nothing is asked. */
  back(): void {
    const { prompt } = this.reading;
    const moves = movesText(prompt);
    this.write(prompt.query.kind === 'next' ? moves.slice(0, Math.max(0, moves.lastIndexOf(' '))) : moves);
  }

  clear(): void {
    this.write('');
  }

  example(): void {
    this.#example = (this.#example + 1) % examples.length;
    this.write(examples[this.#example]);
  }

  /** Drops the answer: the model that gave it answers no longer. */
  forget(): void {
    this.#question.forget();
  }

  /** Asks with the newest weights. */
  askNow(): Promise<void> {
    return this.#question.askNow();
  }
}
