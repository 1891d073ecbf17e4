import { claimableDraw, isInsufficientMaterial } from '../../src/domains/chess/rules/outcome.ts';
import { Position } from '../../src/domains/chess/rules/position.ts';
import { readUciMove, uciOf } from '../../src/domains/chess/formats/uci.ts';

export type Ending = 'checkmate' | 'stalemate' | 'repetition' | 'fifty moves' | 'insufficient material';

/** A game in play: its legal moves, and how it ended by rule, draws claimed as soon as they can be. */
export class Rules {
  private readonly position = Position.initial();

  /** Legal moves in UCI, in alphabetical order. */
  legal(): string[] {
    return this.position.legalMoves().map(uciOf).sort();
  }

  play(move: string): void {
    if (!this.position.tryPlay(readUciMove(move, 0, move.length))) throw new Error(`${move} is not legal here`);
  }

  ending(): Ending | null {
    const { position } = this;
    if (position.legalMoves().length === 0) return position.inCheck() ? 'checkmate' : 'stalemate';
    const draw = claimableDraw(position);
    if (draw) return draw === 'threefold repetition' ? 'repetition' : 'fifty moves';
    return isInsufficientMaterial(position) ? 'insufficient material' : null;
  }
}
