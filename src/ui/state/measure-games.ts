import type { CorpusBuffers } from '../../../workers/data/protocol.ts';
import { uciLine } from '../../domains/chess/replay.ts';

/** What moves with a corpus when it is handed to a worker rather than copied. */
export function buffersOf({ moves, offsets }: CorpusBuffers): ArrayBuffer[] {
  return [moves.buffer as ArrayBuffer, offsets.buffer as ArrayBuffer];
}

/** How many games a corpus has. */
export function gamesIn({ offsets }: CorpusBuffers): number {
  return offsets.length - 1;
}

/** Game i as UCI text. */
export function gameText({ moves, offsets }: CorpusBuffers, i: number): string {
  return uciLine(moves.subarray(offsets[i], offsets[i + 1]));
}
