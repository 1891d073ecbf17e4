import { fail, ok, unwrap, type Result } from '../../../base/result.ts';
import type { Notation } from '../../../domains/domain.ts';
import type { AnyDomain } from '../../../domains/domains.ts';
import { askableVariables, paperForms } from './paper-forms.ts';
import { GOAL_VERBS, type SplatGame } from './question.ts';

const WINNERS = { first: 'A1', second: 'A2', level: 'A3' };

/**
 * The notation in which a game can be asked as `plainQuestions` asks: "splat" with a token an event, which is what its
 * traces write, and tokens for its variables in square brackets, their values and the indicators. Fails with
 * `no-questions`.
 */
export function askedIn(domain: AnyDomain): Result<Notation> {
  const notation = domain.notation('splat');
  const lacks = (text: string) => fail('no-questions', `${domain.title} cannot be asked questions: it has no ${text}.`);
  if (!notation.ok) return lacks('notation "splat"');
  const { vocabulary } = notation.value;
  const needed = ['[start]', '[sep]', '[end]', 'Q1', 'Q2', 'Q3', ...Object.values(WINNERS)];
  const asked = domain.variables.flatMap(({ name, values }) => [`[${name}]`, ...values]);
  const missing = [...needed, ...asked].find((token) => vocabulary.id(token) === undefined);
  return missing === undefined ? notation : lacks(`token ${missing}`);
}

/**
 * Questions of any game that `askedIn` finds fit, as baseball has them: Q1 [variable] value; Q2 with A1 the first player
 * ahead, A2 the second, A3 level; Q3 [variable] value and exactly five events. Prefixes are uniform from one event to
 * the whole game. A goal is the value of a variable after five more events of the game, one that differs from its value
 * before them, so that doing nothing never answers; games without five more events have none.
 * @throws InputError where the game is not fit
 */
export function plainQuestions(domain: AnyDomain): SplatGame<unknown> {
  const notation = unwrap(askedIn(domain));
  const { vocabulary } = notation;
  const askable = askableVariables(domain);
  const { names, of } = askable;

  // What a rule forbids has no meaning in a game of which nothing but the rules is known, so it changes nothing.
  const played = (state: unknown, events: Uint16Array): unknown =>
    events.reduce((now, event) => (domain.legal(now).includes(event) ? domain.apply(now, event) : now), state);
  const read = (
    tokens: readonly string[],
    firstToken: number,
    prefix: Uint16Array = new Uint16Array(0),
  ): Result<Uint16Array> => {
    const line = [domain.traces.format(prefix), ...tokens].join(' ');
    const parsed = domain.traces.parse(line);
    if (parsed.ok) return ok(parsed.value.slice(prefix.length));
    const { code, message, where } = parsed.error;
    if (where?.ply === undefined) return parsed;
    return fail(code, `Token ${firstToken + where.ply - 1 - prefix.length}: ${message}`, where);
  };

  return {
    domain,
    notation,
    forms: paperForms(domain, askable, ['Q1', 'Q2', 'Q3'], WINNERS),
    goalModes: ['corrected'],
    begins: (token) => {
      const first = domain.traces.parse(token);
      return first.ok ? first.value.length > 0 : first.error.code === 'illegal-verb';
    },
    read: (tokens, firstToken) => read(tokens, firstToken),
    readPath: read,
    stateAfter: (...traces) => traces.reduce(played, domain.initial()),
    isLegalPath: (state, path) => {
      let now = state;
      return path.every((event) => {
        const legal = domain.legal(now).includes(event);
        if (legal) now = domain.apply(now, event);
        return legal;
      });
    },
    nextTokens: (state) => {
      const legal = domain.legal(state);
      if (legal.length === 0) return [vocabulary.end];
      return legal.map((event) => notation.encode([event], { random: null, closed: false })[1]);
    },
    drawLength: (form, events, random) => {
      const longest = form.kind === 'goal' ? events - GOAL_VERBS : events;
      return longest < 1 ? null : 1 + random.below(longest);
    },
    drawGoal: (trace, length, _mode, random) => {
      const path = trace.slice(length, length + GOAL_VERBS);
      if (path.length < GOAL_VERBS) return null;
      const before = played(domain.initial(), trace.subarray(0, length));
      const after = played(before, path);
      const changed = names.filter((name) => of(before, name) !== of(after, name));
      if (changed.length === 0) return null;
      const name = changed[random.below(changed.length)];
      return { args: [name, of(after, name)], path };
    },
  };
}
