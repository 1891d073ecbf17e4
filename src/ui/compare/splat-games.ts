import type { OpenedGames } from '../../../workers/data/protocol.ts';
import { noticeOf } from '../../config/notice.ts';
import { Corpus } from '../../data/corpus.ts';
import { domainNamed } from '../../domains/domains.ts';
import { dataStatistics, type DataStatistics } from '../../studies/splat/questions/data-statistics.ts';
import { questionsFor } from '../../studies/splat/questions/questions.ts';
import type { SplatGames } from '../../studies/splat/report/report-input.ts';

/** Games that are counted at a time: between them the page can draw. */
const AT_ONCE = 500;

/** What SPLAT's Table 2 tells of a set of games, named by its title; null where the game is not told in words. */
export async function splatGamesOf({ summary, train }: OpenedGames): Promise<SplatGames | null> {
  const { domain: name, title, notice } = summary;
  const domain = domainNamed(name);
  const notation = domain.ok ? domain.value.notation('splat') : domain;
  const questions = questionsFor(name);
  if (!notation.ok || !questions.ok) return null;
  const games = train.offsets.length - 1;
  const parts: DataStatistics[] = [];
  for (let from = 0; from < games; from += AT_ONCE) {
    const part = new Corpus(train.moves, train.offsets.subarray(from, Math.min(games, from + AT_ONCE) + 1));
    parts.push(dataStatistics(part, notation.value, { questions: questions.value }));
    await new Promise((resolve) => setTimeout(resolve));
  }
  const sum = (of: (part: DataStatistics) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const tokens = sum((part) => part.tokens);
  const statistics = {
    games,
    tokens,
    meanTokens: games === 0 ? null : tokens / games,
    vocabulary: notation.value.vocabulary.size,
    questions: sum((part) => part.questions ?? 0),
  };
  return { name: title, domain: name, statistics, ...noticeOf(notice) };
}
