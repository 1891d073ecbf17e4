import type { Notation } from '../../../domains/domain.ts';
import type { Questions } from './questions.ts';

/**
 * A function that tells how many of a game's events a question line may tell, its answer included, so that every line
 * made of them fits a model's context. Events are written alike wherever they stand, in tokens and in text.
 */
export function askableEvents(
  questions: Questions,
  notation: Notation,
  context: number,
): (trace: Uint16Array) => number {
  const args = Math.max(...questions.forms.map(({ takes }) => takes.length));
  // [start] [sep] Q arguments [end], and the answer: one token, or verbs of which the repeated one (GoalMode) may be
  // longer than the one that it stands for.
  const around = (3 + args + 1 + Math.max(1, questions.verbTokens - 1)) * (notation.text?.longest ?? 1);
  const known = new Uint8Array(1 << 16);
  const lengthOf = (events: number[]): number => notation.encode(events, { random: null, closed: false }).length;
  const begin = lengthOf([]);
  const tokensIn = (event: number): number => (known[event] ||= lengthOf([event]) - begin);
  return (trace) => {
    let room = context - around;
    let events = 0;
    while (events < trace.length && room >= tokensIn(trace[events])) room -= tokensIn(trace[events++]);
    return events;
  };
}
