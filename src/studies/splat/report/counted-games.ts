import { noticeOf } from '../../../config/notice.ts';
import { domainNamed } from '../../../domains/domains.ts';
import type { GamesSet } from '../../study.ts';
import { dataStatistics } from '../questions/data-statistics.ts';
import { questionsFor } from '../questions/questions.ts';
import type { SplatGames } from './report-input.ts';

/** What SPLAT's Table 2 tells of a set of games; null where the game is not told in events. */
export function countedGames({ name, domain, train, notice }: GamesSet): SplatGames | null {
  const found = domainNamed(domain);
  const notation = found.ok ? found.value.notation('splat') : found;
  const questions = questionsFor(domain);
  if (!notation.ok || !questions.ok) return null;
  const statistics = dataStatistics(train, notation.value, { questions: questions.value });
  return { name, domain, statistics, ...noticeOf(notice) };
}
