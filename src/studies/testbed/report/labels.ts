import { taughtIn } from '../../../config/objectives.ts';
import { count } from '../../../report/labels.ts';
import { prefixRanges, type PrefixRange } from '../prefix-ranges.ts';
import { modelShape } from '../../model-labels.ts';
import type { Configuration } from './configurations.ts';

/** "GPT-2 4 x 128, window 51". */
export function modelLabel({ subject }: Configuration): string {
  const { window } = subject;
  return [modelShape(subject), window === null ? null : `window ${window}`, taughtIn(subject)]
    .filter((part) => part !== null)
    .join(', ');
}

/** "UCI + RAP 15". */
export function notationLabel({ notation }: Configuration): string {
  const { family, percent } = notation;
  return family === 'uci' ? 'UCI' : family === 'ap' ? 'UCI + AP' : `UCI + RAP ${percent}`;
}

/** "Train-S" where the paper has a set of about that size, else the number of games. */
export function gamesLabel({ size, subject }: Configuration): string {
  if (size !== null) return `Train-${size}`;
  return subject.trainGames === null ? 'games unknown' : `${count(subject.trainGames)} games`;
}

/** "51 to 100 plies". */
export function rangeLabel(range: PrefixRange): string {
  const [min, max] = prefixRanges[range];
  return `${min} to ${max} plies`;
}

/** Names of pieces in the paper's order. */
export const pieceNames = { R: 'Rook', N: 'Knight', B: 'Bishop', Q: 'Queen', K: 'King', P: 'Pawn' } as const;
