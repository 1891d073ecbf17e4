import { RETROSHEET_NOTICE } from '../../data/baseball/notice.ts';
import { trainSubsets } from '../../data/testbed-split.ts';

/** What the page says of one game and of no other. */
export interface GameLabels {
  /** Training sets that its paper names, with their sizes: the first so many games of a set. */
  subsets: { sizes: readonly (readonly [string, number])[]; note: string } | null;
  /** An address of games, as an example. */
  address: string;
  /** Where games can be had. */
  source: { label: string; before: string; link: { text: string; href: string }; after: string; notice: string } | null;
}

const OTHERS: GameLabels = { subsets: null, address: 'https://example.org/games.txt', source: null };

const LABELS: Readonly<Record<string, Partial<GameLabels>>> = {
  chess: {
    subsets: {
      sizes: Object.entries(trainSubsets).map(([size, games]) => [`Train-${size}`, games]),
      note: 'Train-S, M and L are the sizes of the paper’s training sets.',
    },
    address: 'https://example.org/games.pgn.zst',
  },
  baseball: {
    address: 'https://example.org/2019eve.zip',
    source: {
      label: 'Where to get games of baseball',
      before: 'Every pitch of every season of the major leagues is at',
      link: { text: 'retrosheet.org', href: 'https://www.retrosheet.org/game.htm' },
      after:
        ', a zip of event files a season: download one and drop it here as it is. Its address works above only if the server lets other pages read it; where it does not, the download does.',
      notice: RETROSHEET_NOTICE,
    },
  },
};

/** The labels of a game by its name; those that any game has where it needs none of its own. */
export function gameLabels(domain: string): GameLabels {
  return { ...OTHERS, ...LABELS[domain] };
}
