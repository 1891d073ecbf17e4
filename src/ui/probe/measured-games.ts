import type { CorpusBuffers, GamesSummary, OpenedGames } from '../../../workers/data/protocol.ts';
import type { MeasuredGames } from '../../../workers/measure/protocol.ts';
import { noticeOf } from '../../config/notice.ts';
import type { AnyDomain } from '../../domains/domains.ts';
import { manifestOf } from '../session/run-games.ts';
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

/** Game i in the domain's own text. */
export function traceText(domain: AnyDomain, { moves, offsets }: CorpusBuffers, i: number): string {
  return domain.traces.format(moves.subarray(offsets[i], offsets[i + 1]));
}

/** Games of a set that are asked about: SPLAT's are those of test, or of dev where it has none. */
export function heldOutGames({ splits }: GamesSummary, split: 'probe' | 'test'): number {
  return split === 'probe' ? (splits.probe?.games ?? 0) : splits.test?.games || splits.dev?.games || 0;
}

/** A set of games as studies take it. */
export function measuredGames(opened: OpenedGames): MeasuredGames {
  const { summary, train, dev, test, probe } = opened;
  const { title: name, domain, notice } = summary;
  return { name, domain, manifest: manifestOf(opened), ...noticeOf(notice), train, dev, test, probe };
}

export function allBuffersOf({ train, dev, test, probe }: MeasuredGames): ArrayBuffer[] {
  return [train, dev, test, probe].flatMap(buffersOf);
}
