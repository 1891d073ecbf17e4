import { transferring } from '../../../workers/wire.ts';
import type { OpenedGames } from '../../../workers/data/protocol.ts';

/** The training games, moved rather than copied: the analysing worker has its own copy by now. */
export function transferred({ train }: OpenedGames): OpenedGames['train'] {
  return transferring(train, [train.moves.buffer, train.offsets.buffer]);
}

/** What names the games of a run: the manifest's hash, and where shards were missing how many games there were. */
export function manifestOf({ summary, train, failures }: OpenedGames): string {
  return failures.length === 0 ? summary.hash : `${summary.hash}, ${train.offsets.length - 1} games`;
}
