import { OVER_LIMIT } from '../base/budget.ts';
import { seededRandom, shuffle } from '../base/random.ts';
import { fail, ok, type Failure, type Result } from '../base/result.ts';
import { CorpusBuilder, type Corpus } from './corpus.ts';
import type { Filters } from './filters.ts';
import { gameKey } from './game-key.ts';
import { OTHER_GAME, type GameMeta, type GameRecord } from './game-record.ts';

export { testbedFilters, type Filters } from './filters.ts';

/** Shares of the kept games by split name, in order; they sum to 1. */
export type Shares = Record<string, number>;

/** Another way to split: from the number of kept games, the numbers of those in each split, in order. */
export type Split = (games: number) => Record<string, Uint32Array>;

export const dropReasons = ['duplicate', 'too short', 'too long', 'illegal', 'rating'] as const;
export type DropReason = (typeof dropReasons)[number];

export interface PrepareCounts {
  read: number;
  kept: number;
  /** Events of the kept games, under the name that manifests have for them. */
  plies: number;
  dropped: Record<DropReason, number>;
  /** Games in each split. */
  splits: Record<string, number>;
}

/** The kept games in the order they were read, and for each split its games' numbers in shuffled order. */
export interface PreparedGames {
  corpus: Corpus;
  meta: GameMeta[];
  splits: Record<string, Uint32Array>;
  counts: PrepareCounts;
  /** What the sources read want said wherever these games are used, each once. */
  notices: string[];
}

/**
 * Filters, drops exact duplicates (the first is kept), shuffles by seed and splits, as filter_data.py and the
 * splits of the chess testbed do. A game counts under the first reason that drops it, in the order illegal
 * (null moves "0000" and "--" included), too short, too long, rating, duplicate.
 * Fails with `no-games` where nothing is kept, or with `other-game` or `over-limit` where the files hold
 * another game or cost too much.
 * `onFailure` hears of each game that could not be read.
 */
export async function prepare(
  games: AsyncIterable<Result<GameRecord>>,
  options: {
    filters: Filters;
    shares: Shares | Split;
    /** Counts a game's tokens, for filters.maxTokens (filters.ts). */
    tokens?: (trace: Uint16Array) => number;
    /** Of the shuffle before a split by shares. */
    seed: number;
    onProgress?: (read: number, kept: number) => void;
    onFailure?: (failure: Failure) => void;
  },
): Promise<Result<PreparedGames>> {
  const { filters, shares, seed } = options;
  const { maxTokens = null } = filters;
  if (maxTokens !== null && !options.tokens) throw new RangeError('filters.maxTokens needs a way to count tokens');
  const builder = new CorpusBuilder();
  const meta: GameMeta[] = [];
  const seen = new Set<string>();
  const notices = new Set<string>();
  const dropped = Object.fromEntries(dropReasons.map((reason) => [reason, 0])) as Record<DropReason, number>;
  let read = 0;
  let firstFailure: Failure | null = null;

  for await (const game of games) {
    read++;
    if (!game.ok) {
      dropped.illegal++;
      firstFailure ??= game.error;
      options.onFailure?.(game.error);
    } else {
      if (game.value.notice !== undefined) notices.add(game.value.notice);
      const tooManyTokens = maxTokens !== null && options.tokens!(game.value.events) > maxTokens;
      const reason = tooManyTokens ? 'too long' : reasonToDrop(game.value, filters, seen);
      if (reason) dropped[reason]++;
      else {
        builder.add(game.value.events);
        meta.push(game.value.meta);
      }
    }
    options.onProgress?.(read, builder.length);
    if (builder.length === filters.limit) break;
  }
  if (builder.length === 0) {
    if (firstFailure?.code === OTHER_GAME || firstFailure?.code === OVER_LIMIT)
      return { ok: false, error: firstFailure };
    const why = firstFailure ? ` The first failure: ${firstFailure.message}` : '';
    return fail(
      'no-games',
      `None of the ${read} games read was kept; check the files and the filters.${why}`,
      firstFailure?.where,
    );
  }
  const corpus = builder.finish();
  const splits = typeof shares === 'function' ? shares(corpus.length) : splitBy(shares, corpus.length, seed);
  return ok({
    corpus,
    meta,
    notices: [...notices],
    splits,
    counts: {
      read,
      kept: corpus.length,
      plies: corpus.events.length,
      dropped,
      splits: Object.fromEntries(Object.entries(splits).map(([name, games]) => [name, games.length])),
    },
  });
}

function reasonToDrop({ events, meta }: GameRecord, filters: Filters, seen: Set<string>): DropReason | null {
  if (events.length < filters.minPlies) return 'too short';
  if (filters.maxPlies !== null && events.length > filters.maxPlies) return 'too long';
  if (filters.minElo !== null && !(Math.min(meta.whiteElo ?? 0, meta.blackElo ?? 0) >= filters.minElo)) return 'rating';
  const key = gameKey(events);
  if (seen.has(key)) return 'duplicate';
  seen.add(key);
  return null;
}

/** Game numbers 0 to games - 1 shuffled by seed and cut by cumulative shares, rounded. */
function splitBy(shares: Shares, games: number, seed: number): Record<string, Uint32Array> {
  const order = shuffle(
    Uint32Array.from({ length: games }, (_, i) => i),
    seededRandom('split', seed),
  );
  const splits: Record<string, Uint32Array> = {};
  let share = 0;
  let start = 0;
  for (const [name, part] of Object.entries(shares)) {
    share += part;
    const end = Math.min(games, Math.round(share * games));
    splits[name] = order.subarray(start, end);
    start = end;
  }
  return splits;
}
