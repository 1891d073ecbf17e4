import type { Notation } from '../../../domains/domain.ts';
import type { AnyDomain } from '../../../domains/domains.ts';
import type { Engine } from '../../../engine/engine.ts';
import { mute, probabilities, topTokens } from '../../asking/metrics.ts';
import type { Questions } from '../questions/questions.ts';
import type { NextEvent } from './trace-answer.ts';

/** Beginnings of events kept at each token. */
const BEAM = 8;

/** An event, or its beginning. */
interface Writing {
  tokens: number[];
  probability: number;
}

/**
 * The likeliest next events of a game whose events have several tokens, each token given those before it: a beam over
 * tokens. A beginning is written on only while it is likelier than the last of the whole events found. A token that
 * begins no verb stands for itself: [end], or something that is no event at all.
 * @param asked the trace, its tokens, the distribution [V] of the next one, and those that are legal
 */
export async function likelyEvents(
  engine: Engine,
  { domain, notation, questions }: { domain: AnyDomain; notation: Notation; questions: Questions },
  asked: {
    trace: Uint16Array;
    prefix: readonly number[];
    distribution: Float32Array;
    legal: ReadonlySet<number>;
    count: number;
  },
): Promise<NextEvent[]> {
  const { tokens: names } = notation.vocabulary;
  const { prefix, trace, count } = asked;
  const textOf = (tokens: readonly number[]): string => tokens.map((token) => names[token]).join(' ');
  const likeliest = (writings: Writing[]): Writing[] => [...writings].sort((a, b) => b.probability - a.probability);
  const onFrom = (before: Writing, distribution: Float32Array): Writing[] =>
    topTokens(distribution, BEAM).map((token) => ({
      tokens: [...before.tokens, token],
      probability: before.probability * distribution[token],
    }));

  let whole: Writing[] = [];
  let open = onFrom({ tokens: [], probability: 1 }, asked.distribution);
  for (let length = 1; open.length > 0; length++) {
    const isWhole = ({ tokens }: Writing): boolean => {
      const read = questions.readPath(
        tokens.map((token) => names[token]),
        trace,
      );
      return read.ok || read.error.code === 'not-a-verb' || length === questions.verbTokens;
    };
    whole = likeliest([...whole, ...open.filter(isWhole)]).slice(0, count);
    const least = whole.length < count ? 0 : whole[count - 1].probability;
    const begun = likeliest(open.filter((writing) => !isWhole(writing) && writing.probability > least)).slice(0, BEAM);
    open = [];
    for (const head of new Map(
      begun.map(({ tokens }) => [textOf(tokens.slice(0, -1)), tokens.slice(0, -1)]),
    ).values()) {
      const same = begun.filter(({ tokens }) => textOf(tokens.slice(0, -1)) === textOf(head));
      const [{ leaves }] = await engine.leafLogits([[...prefix, ...head]], [same.map(({ tokens }) => tokens.at(-1)!)]);
      same.forEach((writing, i) => {
        open.push(...onFrom(writing, probabilities(mute(leaves[i], notation.mutedInEvaluation))));
      });
    }
  }
  const legal = legalTexts(domain, notation, trace);
  // Of a single token, what the rules say of tokens holds: [end] is no event and yet legal where a game is over.
  return whole.map(({ tokens, probability }) => {
    const text = textOf(tokens);
    return {
      text,
      probability,
      legal: legal.has(text) || (tokens[0] === notation.vocabulary.end && asked.legal.has(tokens[0])),
    };
  });
}

/** The events that the rules allow after a trace, as their tokens are written. */
function legalTexts(domain: AnyDomain, notation: Notation, trace: Uint16Array): Set<string> {
  let state = domain.initial();
  for (const event of trace) state = domain.apply(state, event);
  const { tokens } = notation.vocabulary;
  return new Set(
    domain.legal(state).map((event) =>
      notation
        .encode([event], { random: null, closed: false })
        .slice(1)
        .map((token) => tokens[token])
        .join(' '),
    ),
  );
}
