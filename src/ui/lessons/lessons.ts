import type { Lesson } from './lesson.ts';
import { breakIt } from './texts/break-it.ts';
import { count } from './texts/count.ts';
import { firstMinute } from './texts/first-minute.ts';
import { kinds } from './texts/kinds.ts';
import { ownGames } from './texts/own-games.ts';
import { perplexity } from './texts/perplexity.ts';
import { rules } from './texts/rules.ts';

/** In the order in which a newcomer takes them. */
export const LESSONS: readonly Lesson[] = [firstMinute, perplexity, kinds, breakIt, rules, count, ownGames];

/** A lesson and its step that an address names ("first-minute", "3"); null where there is none. */
export function stepAt(id: string, step: string): { lesson: Lesson; step: number } | null {
  const lesson = LESSONS.find((candidate) => candidate.id === id);
  const at = step === '' ? 0 : Number(step) - 1;
  return lesson && Number.isInteger(at) && at >= 0 && at < lesson.steps.length ? { lesson, step: at } : null;
}
