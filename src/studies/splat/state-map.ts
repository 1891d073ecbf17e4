import { fail, ok, type Result } from '../../base/result.ts';
import type { Engine } from '../../engine/engine.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import type { Measuring } from '../asking/measuring.ts';
import { tokensOf } from '../asking/next-token.ts';
import { believedState } from './asking/believed-state.ts';
import type { VariableBelief } from './asking/trace-answer.ts';
import { readGame } from './asking/trace-reader.ts';
import type { TraceReader } from './asking/answer-trace.ts';

/** The state as a model believes it after every event of a game, beside the truth (section 5.4 of SPLAT asks some of it). */
export interface StateMap {
  domain: string;
  /** [n] the events' own texts; states 0 .. n are before the first and after each. */
  events: string[];
  variables: string[];
  /** [n + 1][variables] */
  truth: string[][];
  believed: string[][];
  /** [(n + 1) * variables] what the model gives the truth. */
  truthProbability: Float32Array;
}

/** Tokens behind the events: [sep], the question and its argument. */
const ASKING = 3;

/**
 * What a model believes of every variable after `from`, `from` + 1, ... `to` events of a game; a `to` past the
 * game's end is its end. Fails with `not-fine-tuned`, `bad-range`, `too-long`, `no-questions`, `cancelled`,
 * and with what the game says of a line that breaks its rules.
 */
export function mapStates(
  engine: Engine,
  reader: TraceReader,
  { line, from, to }: { line: string; from: number; to: number },
  options: Measuring,
): Promise<Result<StateMap>> {
  const pause = pauseOf(options);
  return endedEarly(async () => {
    const { domain, notation, questions, fineTuned } = reader;
    if (!fineTuned)
      return fail(
        'not-fine-tuned',
        'This model has read games and never learned to answer, so it cannot be asked for the state. Fine-tune it on questions first.',
      );
    const trace = readGame(reader, line);
    if (!trace.ok) return trace;
    const last = Math.min(to, trace.value.length);
    if (!Number.isInteger(from) || !Number.isInteger(last) || from < 0 || from > last)
      return fail('bad-range', `There are no states from ${from} to ${to}; the game has ${trace.value.length} events.`);
    const { context } = engine.model;
    if (tokensOf(notation, trace.value.subarray(0, last)).length + ASKING > context)
      return fail(
        'too-long',
        `These events do not fit the model, which reads at most ${context} tokens; end the map earlier in the game.`,
      );
    const states: VariableBelief[][] = [];
    for (let events = from; events <= last; events++) {
      options.onProgress?.({
        label: `The state after ${events} of ${last} events`,
        share: (events - from) / (last - from + 1),
      });
      await pause();
      states.push(await believedState(engine, questions, trace.value.subarray(0, events)));
    }
    const variables = states[0].map(({ variable }) => variable);
    if (variables.length === 0) return fail('no-questions', 'This game has no question that asks for its state.');
    return ok({
      domain: domain.name,
      events: Array.from(trace.value.subarray(from, last), (event) => domain.traces.format([event])),
      variables,
      truth: states.map((beliefs) => beliefs.map(({ truth }) => truth)),
      believed: states.map((beliefs) => beliefs.map(({ values }) => values[0].value)),
      truthProbability: Float32Array.from(states.flat(), ({ truthProbability }) => truthProbability),
    });
  });
}
