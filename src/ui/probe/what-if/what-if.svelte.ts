import type { Result } from '../../../base/result.ts';
import { parsePrompt } from '../../../domains/chess/prompt.ts';
import { whatIf } from '../../../studies/what-if/study.ts';
import type { WhatIfReport, WhatIfRequest } from '../../../studies/what-if/what-if.ts';
import type { MeasureState } from '../measure.svelte.ts';
import { read } from '../../session/asking/reading.ts';

/** The pawn that opens the bishop's way has never moved: d3 to d2. */
const EXAMPLE = { prefix: 'e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 h7h6 c1', from: 19, to: 11 };

export type EditKind = 'remove' | 'move' | 'add' | 'instead';

/** A prefix, a change of it, and how the model's answers to both differ. */
export class WhatIfState {
  text = $state(EXAMPLE.prefix);
  kind = $state<EditKind>('move');
  /** The square of the piece that goes, moves or comes; null until it is chosen. */
  square = $state<number | null>(EXAMPLE.from);
  /** Where a moved piece goes. */
  target = $state<number | null>(EXAMPLE.to);
  /** Piece code of one that is added. */
  piece = $state(2);
  /** The last plies that are replaced, and by what; empty for moves drawn at random. */
  plies = $state(1);
  line = $state('');
  legality = $state<'rules' | 'tokens'>('rules');
  report = $state.raw<WhatIfReport | null>(null);
  reading = $derived(read(this.text));
  readonly #measure: MeasureState;
  #seed = 1;

  constructor(measure: MeasureState) {
    this.#measure = measure;
  }

  forget(): void {
    this.report = null;
  }

  /** What an address says of it (session/address.ts). */
  get link(): string {
    const { prompt, failure } = this.reading;
    return this.text === EXAMPLE.prefix || failure !== null ? '' : prompt.canonical;
  }

  /** Takes a prefix from an address. */
  open(line: string): Result<unknown> {
    const read = parsePrompt(line);
    if (read.ok && read.value.canonical !== this.text) this.write(read.value.canonical);
    return read;
  }

  /** Another prefix: the change is chosen anew. */
  write(text: string): void {
    this.text = text;
    this.clear();
  }

  choose(kind: EditKind): void {
    this.kind = kind;
    this.clear();
  }

  clear(): void {
    this.square = this.target = null;
  }

  /** A square of the board was chosen: the piece, and then where it goes. */
  point(square: number): void {
    if (this.kind === 'instead') return;
    if (this.kind !== 'move' || this.square === null || this.target !== null) {
      this.square = square;
      this.target = null;
    } else if (square === this.square) this.square = null;
    else this.target = square;
  }

  /** The change as it is asked for; null while something of it is missing. */
  get edit(): WhatIfRequest['edit'] | null {
    const { kind, square, target } = this;
    if (kind === 'instead') return { kind, plies: this.plies, line: this.line.trim() || null };
    if (square === null) return null;
    if (kind === 'remove') return { kind, square };
    if (kind === 'add') return { kind, square, piece: this.piece };
    return target === null ? null : { kind, from: square, to: target };
  }

  async run(): Promise<void> {
    const { edit } = this;
    if (edit === null) return;
    const request: WhatIfRequest = { prompt: this.text, edit, legality: this.legality, seed: this.#seed++ };
    const outcome = await this.#measure.ask(whatIf, request);
    if (outcome !== null) this.report = outcome.answer;
  }
}
