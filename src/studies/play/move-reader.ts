import { fail, ok, type Result } from '../../base/result.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import type { Notation, TwoPlayers } from '../../domains/domain.ts';
import { domainNamed, type AnyDomain } from '../../domains/domains.ts';
import { judgeMove } from '../asking/write-move.ts';
import { traceReaderOf } from '../splat/asking/trace-reader.ts';
import type { Subject } from '../study.ts';

/** What a model wrote where a move should stand. */
export interface WrittenEvent {
  /** As players write it, or what stands in its place. */
  text: string;
  /** The move, where it is legal. */
  event: number | null;
  /** Whether it ended the game instead. */
  ended: boolean;
  /** Why it is no legal move, a clause; null where it is one. */
  why: string | null;
}

/** A game that is played, as the tokens of one notation tell it. */
export interface PlayedGame {
  domain: AnyDomain & { play: TwoPlayers<unknown> };
  notation: Notation;
  /** What tokens come to after these moves; null while they are only the beginning of a move. */
  judge(moves: Uint16Array, state: unknown, written: readonly string[]): WrittenEvent | null;
}

/** Whether models of this notation of this game can play it. */
export function isPlayed({ domain }: { domain: string }): boolean {
  const found = domainNamed(domain);
  return found.ok && found.value.play !== undefined;
}

/** The game that a model plays. Fails with `not-played`. */
export function playedGame({ config, notation }: Pick<Subject, 'config' | 'notation'>): Result<PlayedGame> {
  // A folder that tells no game is of chess where its tokens are squares.
  const found = domainNamed(config?.domain ?? 'chess');
  const { play } = found.ok ? found.value : {};
  if (!found.ok || play === undefined) return fail('not-played', 'No two sides take turns in this game.');
  const domain = { ...found.value, play };
  if (notation.tokensPer === 'square')
    return ok({
      ...{ domain, notation },
      judge: (_, state, written) => {
        const judged = judgeMove(notation, state as Position, written);
        if (judged === null) return null;
        const { move, ended, why } = judged;
        return withText(domain, state, written, { event: move, ended, why });
      },
    });
  const reader = traceReaderOf(config, notation);
  if (reader === null) return fail('not-played', 'This model does not tell how it writes moves, so it cannot play.');
  const { questions } = reader;
  return ok({
    ...{ domain, notation },
    judge(moves, state, written) {
      if (written[0] === notation.vocabulary.tokens[notation.vocabulary.end])
        return withText(domain, state, written, { event: null, ended: true, why: null });
      const path = questions.readPath([...written], moves);
      const whole = path.ok ? path.value.length > 0 : path.error.code === 'not-a-verb';
      if (!whole && written.length < questions.verbTokens) return null;
      const line = domain.traces.parse(`${domain.traces.format(moves)} ${written.join(' ')}`.trim());
      const event = line.ok && line.value.length === moves.length + 1 ? line.value[moves.length] : null;
      const why = line.ok ? 'it is no move' : line.error.message;
      return withText(domain, state, written, { event, ended: false, why: event === null ? why : null });
    },
  });
}

function withText(
  { play }: PlayedGame['domain'],
  state: unknown,
  written: readonly string[],
  judged: Omit<WrittenEvent, 'text'>,
): WrittenEvent {
  const text =
    judged.event === null ? (play.forbidden?.(state, written) ?? written.join(' ')) : play.move(state, judged.event);
  return { text: judged.ended ? 'end of the game' : text, ...judged };
}
