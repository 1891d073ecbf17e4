import { fail, ok, type Result } from '../../../base/result.ts';
import type { Notation } from '../../../domains/domain.ts';
import type { AnyDomain } from '../../../domains/domains.ts';
import type { Engine } from '../../../engine/engine.ts';
import { mute, probabilities, topTokens } from '../../asking/metrics.ts';
import { tokensOf } from '../../asking/next-token.ts';
import { believedState } from './believed-state.ts';
import { massesOf } from './mass.ts';
import { likelyEvents } from './next-events.ts';
import type { Questions } from '../questions/questions.ts';
import type { TraceAnswer } from './trace-answer.ts';

/** Next tokens and next events told. */
const TOKENS = 12;
const EVENTS = 6;

export interface TraceReader {
  domain: AnyDomain;
  /** "splat". */
  notation: Notation;
  questions: Questions;
  /** Whether the model has learned to answer questions; what it believes is asked only then. */
  fineTuned: boolean;
}

/**
 * What a model of SPLAT tokens says after these events: its next tokens, its next events whole, and, where it has learned
 * to answer, what it believes of every variable. Fails with `too-long`, and with what the game says of a trace that
 * breaks its rules.
 */
export async function answerTrace(
  engine: Engine,
  { domain, notation, questions, fineTuned }: TraceReader,
  trace: Uint16Array,
): Promise<Result<TraceAnswer>> {
  const line = domain.traces.format(trace);
  const checked = trace.length === 0 ? ok(trace) : domain.traces.parse(line);
  if (!checked.ok) return checked;
  const prefix = tokensOf(notation, trace);
  const { context } = engine.model;
  // Behind the events: [sep], a question and its argument, or the tokens of a next event but the last.
  const room = fineTuned ? Math.max(3, questions.verbTokens - 1) : questions.verbTokens - 1;
  if (prefix.length + room > context)
    return fail(
      'too-long',
      `These events do not fit the model, which reads at most ${context} tokens; take some off their end.`,
    );
  const [{ root }] = await engine.leafLogits([prefix], [[]]);
  const distribution = probabilities(mute(root, notation.mutedInEvaluation));
  const legal = new Set(questions.legalTokens(trace));
  const { tokens } = notation.vocabulary;
  const next = topTokens(distribution, TOKENS).map((token) => ({
    token: tokens[token],
    probability: distribution[token],
    legal: legal.has(token),
  }));
  const events =
    questions.verbTokens === 1
      ? next.slice(0, EVENTS).map(({ token, ...rest }) => ({ text: token, ...rest }))
      : await likelyEvents(
          engine,
          { domain, notation, questions },
          { trace, prefix, distribution, legal, count: EVENTS },
        );
  return ok({
    line,
    next,
    legalMass: massesOf(domain, trace, distribution).legalMass,
    events,
    belief: fineTuned ? await believedState(engine, questions, trace) : null,
  });
}
