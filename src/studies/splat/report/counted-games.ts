import { noticeOf } from '../../../config/notice.ts';
import type { Corpus } from '../../../data/corpus.ts';
import { domainNamed } from '../../../domains/domains.ts';
import type { GamesSet } from '../../study.ts';
import { dataStatistics, dataStatisticsInSlices, type DataStatistics } from '../questions/data-statistics.ts';
import { questionsFor } from '../questions/questions.ts';
import type { SplatGames } from './report-input.ts';

/** A report is made anew whenever its assessments change; its games are counted once. */
const counted = new WeakMap<Corpus, DataStatistics>();

/** What SPLAT's Table 2 tells of a set of games; null where the game is not told in events. */
export function countedGames(set: GamesSet): SplatGames | null {
  const { name, domain, train, notice } = set;
  const asked = askedIn(set);
  if (asked === null) return null;
  const statistics = counted.get(train) ?? dataStatistics(train, asked.notation, { questions: asked.questions });
  counted.set(train, statistics);
  return { name, domain, statistics, ...noticeOf(notice) };
}

/** Counts a set for `countedGames`, pausing between slices. */
export async function countAhead(set: GamesSet, pause: () => Promise<void>): Promise<void> {
  const asked = askedIn(set);
  if (asked === null || counted.has(set.train)) return;
  counted.set(set.train, await dataStatisticsInSlices(set.train, asked.notation, asked.questions, pause));
}

function askedIn({ domain: name }: GamesSet) {
  const domain = domainNamed(name);
  const notation = domain.ok ? domain.value.notation('splat') : domain;
  const questions = questionsFor(name);
  return notation.ok && questions.ok ? { notation: notation.value, questions: questions.value } : null;
}
