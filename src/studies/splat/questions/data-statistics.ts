import * as v from 'valibot';
import type { Corpus } from '../../../data/corpus.ts';
import type { Notation } from '../../../domains/domain.ts';
import { whole } from '../../stored-numbers.ts';
import type { Questions } from './questions.ts';

const count = v.pipe(v.number(), v.minValue(0));

/** What SPLAT says of its games (Demeter and Downey 2021, Table 2). */
export const DataStatisticsSchema = v.object({
  games: whole,
  /** Tokens of verbs and their arguments; [start] and [end] are two more a game. */
  tokens: whole,
  /** `tokens` a game; null where there are no games. */
  meanTokens: v.nullable(count),
  /** Tokens of the vocabulary, whether or not they occur. */
  vocabulary: whole,
  /** Questions that these games give, as expected before any is drawn; null where no questions were given. */
  questions: v.nullable(count),
});

/**
 * Counts over all games of a corpus. `questions` of the game and how many are tried in each game (`perGame`, one where it
 * is left out) give the number of questions to expect: games too short for the question that is drawn give none, which
 * is why the paper's 400,000 games of chess give 300,000 questions.
 */
export function dataStatistics(
  corpus: Corpus,
  notation: Notation,
  asked: { questions: Questions; perGame?: number } | null = null,
): v.InferOutput<typeof DataStatisticsSchema> {
  const shares = new Map<number, number>();
  let tokens = 0;
  let expected = 0;
  for (const trace of corpus) {
    tokens += notation.encode(trace, { random: null, closed: false }).length - 1;
    if (asked === null) continue;
    const events = trace.length;
    if (!shares.has(events)) shares.set(events, asked.questions.shareAsked(events));
    expected += shares.get(events)! * (asked.perGame ?? 1);
  }
  return {
    games: corpus.length,
    tokens,
    meanTokens: corpus.length === 0 ? null : tokens / corpus.length,
    vocabulary: notation.vocabulary.size,
    questions: asked && expected,
  };
}
