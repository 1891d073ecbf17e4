import { baseball } from '../../domains/baseball/baseball.ts';
import { FIRST, SECOND, THIRD, tokensOf } from '../../domains/baseball/events.ts';
import { BaseballState, NOBODY } from '../../domains/baseball/state.ts';
import type { VerbGame } from './verb-writer.ts';

/** How far the replay of a game's verbs agrees with what its source has on record. */
export interface Agreement {
  /** True where the final score is the source's. */
  score: boolean;
  /** Plate appearances whose inning, half and outs agree, of those of which the source tells them. */
  outs: { agree: number; of: number };
  /** Plate appearances whose occupied bases agree and whose runners' movements contradict nobody. */
  runners: { agree: number; of: number };
  /** Counts before the last pitch that agree. */
  counts: { agree: number; of: number };
  /** What did not agree: where, and what, in words. */
  differences: { at: string; text: string }[];
}

/**
 * Replays a game's verbs with the symbolic program and holds the states against the source's own record.
 * A game whose verbs are no legal trace agrees in nothing from the illegal verb on.
 */
export function checkGame(game: VerbGame): Agreement {
  const agreement: Agreement = {
    score: false,
    outs: { agree: 0, of: 0 },
    runners: { agree: 0, of: 0 },
    counts: { agree: 0, of: 0 },
    differences: [...game.problems],
  };
  const differ = (at: string, text: string): void => void agreement.differences.push({ at, text });
  const hold = (count: 'outs' | 'runners' | 'counts', agrees: boolean, at: string, text: string): void => {
    agreement[count].of++;
    if (agrees) agreement[count].agree++;
    else differ(at, text);
  };
  const parsed = baseball.traces.parse(game.tokens.join(' '));
  if (!parsed.ok) differ('the verbs', parsed.error.message);
  const events = parsed.ok ? parsed.value : new Uint16Array();
  const troubled = new Set(game.problems.map(({ at }) => at));
  const state = new BaseballState();
  let tokens = 0;
  let next = 0;
  const upTo = (at: number): boolean => {
    while (tokens < at && next < events.length) {
      const event = events[next++];
      state.play(event);
      tokens += tokensOf(event).length;
    }
    return tokens === at;
  };
  for (const record of game.records) {
    const there = upTo(record.tokens);
    if (record.outs !== null) {
      hold(
        'outs',
        there && state.outs === record.outs && state.inning === record.inning && state.half === record.half,
        record.at,
        `inning ${state.inning}, half ${state.half}, ${state.outs} outs where the source has inning ${record.inning}, half ${record.half}, ${record.outs} outs`,
      );
      const wanted = record.runners ?? [FIRST, SECOND, THIRD].map((base) => state.bases[base] !== NOBODY);
      const runnersAgree =
        there &&
        !troubled.has(record.at) &&
        wanted.every((occupied, i) => (state.bases[FIRST + i] !== NOBODY) === occupied);
      hold('runners', runnersAgree, record.at, 'other bases are occupied than in the source');
    }
    if (record.count !== null) {
      const agrees = there && state.balls === record.count[0] && state.strikes === record.count[1];
      const text = `count ${state.balls}-${state.strikes} where the source has ${record.count.join('-')}`;
      hold('counts', agrees, record.at, text);
    }
  }
  upTo(Infinity);
  agreement.score = parsed.ok && state.away === game.runs[0] && state.home === game.runs[1];
  if (parsed.ok && !agreement.score)
    differ('the end', `${state.away} to ${state.home} where the source has ${game.runs.join(' to ')}`);
  return agreement;
}
