import { describe, expect, it } from 'vitest';
import { scriptedEngine, type Continuations } from '../../../../fixtures/scripted-engine.ts';
import { unwrap } from '../../../base/result.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { answerTrace } from './answer-trace.ts';
import { believedState } from './believed-state.ts';
import { QUESTIONS } from '../questions/questions.ts';

const reader = (name: 'chess' | 'baseball') => {
  const domain = unwrap(domainNamed(name));
  return { domain, notation: unwrap(domain.notation('splat')), questions: QUESTIONS[name], fineTuned: false };
};
const [chess, baseball] = [reader('chess'), reader('baseball')];
const onFirst = unwrap(
  baseball.domain.traces.parse(
    '<sog> <newbatter> (id_100) <advance> (plate) (first) <atbat> <newbatter> (id_101) <ball>',
  ),
);

describe('the state that a model believes', () => {
  it('of baseball is eleven variables by one pass, shares of the candidates of each', async () => {
    const told: Continuations = (words) => {
      expect(words.slice(-3, -1)).toEqual(['[sep]', 'Q1']);
      if (words.at(-1) === '[first]') return { '(id_100)': 0.2, ___: 0.6, '<ball>': 0.1 };
      if (words.at(-1) === '[balls]') return { 1: 0.6, 2: 0.2, 29: 0.1 };
      return {};
    };
    const engine = scriptedEngine(baseball.questions.vocabulary, (words) => (words.at(-1) === 'Q1' ? {} : told(words)));
    const belief = await believedState(engine, baseball.questions, onFirst);
    expect(engine.asked.passes).toBe(1);
    expect(belief.map(({ variable }) => variable).join(' ')).toBe(
      'inning half outs balls strikes away home plate first second third',
    );
    expect(belief.map(({ truth }) => truth).join(' ')).toBe('1 0 0 1 0 0 0 (id_101) (id_100) ___ ___');
    const first = belief.find(({ variable }) => variable === 'first')!;
    // Fifty players and nobody: what is left is spread over 141 tokens, 49 of them candidates.
    const all = 0.8 + (49 * 0.1) / 141;
    expect(first.values).toHaveLength(4);
    expect(first.values[0]).toEqual({ value: '___', probability: expect.closeTo(0.6 / all, 6) as number });
    expect(first.truthProbability).toBeCloseTo(0.2 / all, 6);
    // Balls are 0 to 5, so that 29 is no candidate.
    const balls = belief.find(({ variable }) => variable === 'balls')!;
    expect(balls.values[0]).toEqual({
      value: '1',
      probability: expect.closeTo(0.6 / (0.8 + (4 * 0.1) / 141), 6) as number,
    });
  });

  it('of chess is 64 squares, as the board has them', async () => {
    const trace = unwrap(chess.domain.traces.parse('e2e4'));
    const engine = scriptedEngine(chess.questions.vocabulary, () => ({ '.': 0.7, k: 0.2 }));
    const belief = await believedState(engine, chess.questions, trace);
    expect(belief).toHaveLength(64);
    const found = new Map(belief.map((each) => [each.variable, each]));
    expect(['e4', 'e2', 'e8', 'd1'].map((square) => found.get(square)!.truth).join(' ')).toBe('P . k Q');
    const all = 0.9 + (11 * 0.1) / (chess.questions.vocabulary.size - 2);
    expect(found.get('e8')!.truthProbability).toBeCloseTo(0.2 / all, 6);
    expect(found.get('e8')!.values[0].value).toBe('.');
  });
});

describe('what a model says after the events of a game', () => {
  it('of a game with a token an event', async () => {
    const engine = scriptedEngine(chess.questions.vocabulary, () => ({ e7e5: 0.5, e7e4: 0.3, '[end]': 0.1 }));
    const trace = unwrap(chess.domain.traces.parse('e2e4'));
    const answer = unwrap(await answerTrace(engine, chess, trace));
    expect(answer).toMatchObject({ line: 'e2e4', belief: null });
    expect(answer.next).toHaveLength(12);
    expect(answer.next.slice(0, 3)).toEqual([
      { token: 'e7e5', probability: expect.closeTo(0.5, 6) as number, legal: true },
      { token: 'e7e4', probability: expect.closeTo(0.3, 6) as number, legal: false },
      { token: '[end]', probability: expect.closeTo(0.1, 6) as number, legal: false },
    ]);
    expect(answer.events.map(({ text }) => text)).toEqual(answer.next.slice(0, 6).map(({ token }) => token));
    expect(answer.legalMass).toBeCloseTo(0.5 + (19 * 0.1) / (chess.questions.vocabulary.size - 3), 6);
  });

  it('writes events of several tokens whole, each token given those before it', async () => {
    const told: Continuations = (words) => {
      const [before, last] = words.slice(-2);
      if (last === '<advance>') return { '(first)': 0.75, '(plate)': 0.25 };
      if (before === '<advance>') return last === '(first)' ? { '(second)': 0.8, '(third)': 0.2 } : { '(first)': 1 };
      if (last === '<out>') return { '(plate)': 0.6, '(third)': 0.4 };
      return { '<advance>': 0.4, '<out>': 0.3, '<ball>': 0.2, '(plate)': 0.09 };
    };
    const engine = scriptedEngine(baseball.questions.vocabulary, told);
    const { events } = unwrap(await answerTrace(engine, baseball, onFirst));
    // advance first second 0.4 * 0.75 * 0.8 = 0.24, and so on; nobody is on third, and (plate) is no verb. Moving the
    // batter to first is legal or not as the rules say of a base that is taken.
    const found = events.map(({ text, probability }) => [text, Number(probability.toFixed(4))]);
    expect(found).toEqual([
      ['<advance> (first) (second)', 0.24],
      ['<ball>', 0.2],
      ['<out> (plate)', 0.18],
      ['<out> (third)', 0.12],
      ['<advance> (plate) (first)', 0.1],
      ['(plate)', 0.09],
    ]);
    const legal = new Map(events.map((event) => [event.text, event.legal]));
    const { domain } = baseball;
    let state = domain.initial();
    for (const event of onFirst) state = domain.apply(state, event);
    for (const [text, said] of legal) {
      const events = domain.legal(state).map((event) => domain.traces.format([event]));
      expect([text, said]).toEqual([text, events.includes(text)]);
    }
    expect(legal.get('<advance> (first) (second)')).toBe(true);
    expect(legal.get('<out> (third)')).toBe(false);
  });

  it('believes only where it has learned to answer, and says where events break the rules or are too many', async () => {
    const engine = scriptedEngine(baseball.questions.vocabulary, () => ({}), 14);
    expect(unwrap(await answerTrace(engine, { ...baseball, fineTuned: true }, onFirst)).belief).toHaveLength(11);
    const smaller = scriptedEngine(baseball.questions.vocabulary, () => ({}), 13);
    expect(unwrap(await answerTrace(smaller, baseball, onFirst)).belief).toBeNull();
    expect(await answerTrace(smaller, { ...baseball, fineTuned: true }, onFirst)).toMatchObject({
      error: { code: 'too-long' },
    });
    const illegal = Uint16Array.from([...onFirst, onFirst[0]]);
    expect(await answerTrace(engine, baseball, illegal)).toMatchObject({ error: { code: 'illegal-verb' } });
    // Before the first event there is a board already.
    const fresh = scriptedEngine(chess.questions.vocabulary, () => ({}));
    const first = unwrap(await answerTrace(fresh, { ...chess, fineTuned: true }, new Uint16Array(0)));
    expect(first.belief!.filter(({ truth }) => truth !== '.')).toHaveLength(32);
  });
});
