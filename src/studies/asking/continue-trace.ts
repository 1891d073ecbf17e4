import type { Random } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Engine } from '../../engine/engine.ts';
import { mute, probabilities } from './metrics.ts';
import { tokensOf } from './next-token.ts';
import type { TraceReader } from '../splat/asking/answer-trace.ts';
import { samplerAt } from './write-move.ts';

/** One event that a model wrote behind a game. */
export interface WrittenEvent {
  /** Its tokens, "<advance> (plate) (first)", or what stands where an event should. */
  text: string;
  legal: boolean;
  /** Why the rules forbid it, a sentence; null where it is legal. */
  why: string | null;
}

export interface ContinuedTrace {
  events: WrittenEvent[];
  /** Why it went on no further, a sentence. */
  ending: string;
}

/**
 * Lets a model of SPLAT tokens write on behind a game, an event at a time, each token drawn at a temperature. It stops at
 * the first event that the rules forbid, since what the model believes of the state after it means nothing; where it
 * ends the game; at the end of its context; and after `events`. Fails with `too-long` where no event fits, and with what
 * the game says of a trace that breaks its rules.
 */
export async function continueTrace(
  engine: Engine,
  { domain, notation, questions }: Pick<TraceReader, 'domain' | 'notation' | 'questions'>,
  trace: Uint16Array,
  options: {
    events: number;
    temperature: number;
    random: Random;
    onEvent?: (event: WrittenEvent) => void;
    pause?: () => Promise<void>;
  },
): Promise<Result<ContinuedTrace>> {
  const { tokens, end } = notation.vocabulary;
  const { context } = engine.model;
  const choose = samplerAt(options.temperature, options.random);
  const prefix = tokensOf(notation, trace);
  if (prefix.length + questions.verbTokens > context)
    return fail(
      'too-long',
      `These events leave the model no room to go on, which reads at most ${context} tokens; take some off their end.`,
    );
  const written: WrittenEvent[] = [];
  let told = trace;
  const continuation = engine.continue(prefix);
  try {
    while (written.length < options.events) {
      if (continuation.length + questions.verbTokens > context)
        return ok({ events: written, ending: `The model's context of ${context} tokens is full.` });
      const event: number[] = [];
      for (let whole = false; !whole;) {
        const token = choose(probabilities(mute(await continuation.logits(), notation.mutedInEvaluation)));
        continuation.advance(token);
        event.push(token);
        whole = token === end || event.length === questions.verbTokens || isWhole(event);
      }
      const text = event.map((token) => tokens[token]).join(' ');
      const read = domain.traces.parse(`${domain.traces.format(told)} ${text}`.trim());
      // [end] behind a line is read over, so it tells nothing more; it is right only where the game is over.
      const ends = event[0] === end;
      if (ends && isOver(told)) return ok({ events: written, ending: 'The model ended the game, which is over.' });
      const why = ends ? 'The model ended a game that is not over.' : read.ok ? null : read.error.message;
      const last: WrittenEvent = { text, legal: why === null, why };
      written.push(last);
      options.onEvent?.(last);
      if (why !== null) return ok({ events: written, ending: `The model wrote what the rules forbid: ${text}.` });
      if (read.ok) told = read.value;
      await options.pause?.();
    }
    return ok({ events: written, ending: `Stopped after ${written.length} events.` });
  } finally {
    continuation.dispose();
  }

  /** Whether these tokens are an event, or can be the beginning of none. */
  function isWhole(event: readonly number[]): boolean {
    const read = questions.readPath(
      event.map((token) => tokens[token]),
      told,
    );
    return read.ok ? read.value.length > 0 : read.error.code === 'not-a-verb';
  }

  function isOver(events: Uint16Array): boolean {
    let state = domain.initial();
    for (const event of events) state = domain.apply(state, event);
    return domain.legal(state).length === 0;
  }
}
