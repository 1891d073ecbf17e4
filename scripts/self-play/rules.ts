import { Position } from '../../src/domains/chess/position.ts';
import { uciOf, readUciMove } from '../../src/domains/chess/uci.ts';

export type Ending = 'checkmate' | 'stalemate' | 'repetition' | 'fifty moves' | 'insufficient material';

/** A game in play: legal moves and how it ended by rule, draws claimed as soon as they can be. */
export class Rules {
  private readonly position = Position.initial();
  private readonly seen = new Map<string, number>([[this.position.key(), 1]]);

  /** Legal moves in UCI, in alphabetical order. */
  legal(): string[] {
    return this.position.legalMoves().map(uciOf).sort();
  }

  play(move: string): void {
    this.position.play(readUciMove(move, 0, move.length));
    const key = this.position.key();
    this.seen.set(key, (this.seen.get(key) ?? 0) + 1);
  }

  ending(): Ending | null {
    const { position } = this;
    if (position.legalMoves().length === 0) return position.inCheck() ? 'checkmate' : 'stalemate';
    if ((this.seen.get(position.key()) ?? 0) >= 3) return 'repetition';
    if (position.halfmoveClock >= 100) return 'fifty moves';
    return isDead(position) ? 'insufficient material' : null;
  }
}

/** Kings alone, or with one knight or with bishops that all stand on one colour of square. */
function isDead(position: Position): boolean {
  const knights: number[] = [];
  const bishops: number[] = [];
  for (let square = 0; square < 64; square++) {
    const kind = position.pieceAt(square) & 7;
    if (kind === 2) knights.push(square);
    else if (kind === 3) bishops.push(square);
    else if (kind !== 0 && kind !== 6) return false;
  }
  if (knights.length) return knights.length === 1 && bishops.length === 0;
  return new Set(bishops.map((square) => ((square >> 3) + square) % 2)).size < 2;
}
