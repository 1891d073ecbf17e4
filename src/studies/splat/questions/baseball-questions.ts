import { ok, unwrap, type Result } from '../../../base/result.ts';
import { baseball } from '../../../domains/baseball/baseball.ts';
import { nextTokens, spellingOfLegalVerbs } from '../../../domains/baseball/next-tokens.ts';
import { isLegal, whyImpossible } from '../../../domains/baseball/rules.ts';
import { splatNotation } from '../../../domains/baseball/splat-notation.ts';
import { BaseballState } from '../../../domains/baseball/state.ts';
import { replayTokens } from '../../../domains/baseball/traces.ts';
import { askableVariables, paperForms } from './paper-forms.ts';
import { GOAL_MODES, GOAL_VERBS, type SplatGame } from './question.ts';

const WINNERS = { first: 'A1', second: 'A2', level: 'A3' };
const ASKABLE = askableVariables(baseball);
const { names: NAMES } = ASKABLE;

/** Verbs before [sep]; the released lines have 5 to 609, spread evenly over the games. */
const SHORTEST = 5;
const LONGEST = 609;
/** Changes that the goal variable goes through within the five verbs. */
const GOAL_CHANGES = 2;

/**
 * Baseball questions as the released lines have them: Q1 [variable] value; Q2 with A1 away ahead, A2 home ahead, A3
 * level; Q3 [variable] value and exactly five verbs. In every released goal line the variable changes at least twice
 * within the five, and the variables are spread as if one of those were drawn (strikes 90 of 241 lines, balls 66, plate
 * 56, outs 18; such a draw expects 88, 66, 58 and 18).
 */
export const baseballQuestions: SplatGame<BaseballState> = {
  domain: baseball,
  notation: splatNotation,
  forms: paperForms(baseball, ASKABLE, ['Q1', 'Q2', 'Q3'], WINNERS),
  goalModes: GOAL_MODES,
  begins: (token) => token.startsWith('<'),
  // The authors' parser slipped now and then (a runner who advances to a base that is taken), so a line need only be one
  // that the program can follow.
  read: (tokens, firstToken) => traceOf(replayTokens(tokens, { rules: whyImpossible, firstToken })),
  // The verb that a released answer repeats is hardly ever legal, so nothing but the spelling is checked.
  readPath: (tokens, firstToken) => traceOf(replayTokens(tokens, { rules: () => null, firstToken })),
  stateAfter,
  isLegalPath: (state, path) => {
    const trial = state.clone();
    return path.every((event) => {
      const legal = isLegal(trial, event);
      trial.play(event);
      return legal;
    });
  },
  nextTokens: (state) => unwrap(nextTokens(state)),
  spelling: spellingOfLegalVerbs,
  drawLength: (form, events, random) => {
    const longest = Math.min(LONGEST, form.kind === 'goal' ? events - GOAL_VERBS : events);
    return longest < SHORTEST ? null : SHORTEST + random.below(longest - SHORTEST + 1);
  },
  drawGoal: (trace, length, mode, random) => {
    const path =
      mode === 'corrected'
        ? trace.slice(length, length + GOAL_VERBS)
        : Uint16Array.of(trace[length - 1], ...trace.subarray(length, length + GOAL_VERBS - 1));
    const state = stateAfter(trace.subarray(0, length));
    const changes = new Map(NAMES.map((name) => [name, 0]));
    let values = valuesOf(state);
    for (const event of path) {
      state.play(event);
      const now = valuesOf(state);
      NAMES.forEach((name, i) => {
        if (now[i] !== values[i]) changes.set(name, changes.get(name)! + 1);
      });
      values = now;
    }
    const eligible = NAMES.filter((name) => changes.get(name)! >= GOAL_CHANGES);
    if (eligible.length === 0) return null;
    const name = eligible[random.below(eligible.length)];
    return { args: [name, values[NAMES.indexOf(name)]], path };
  },
};

function traceOf(replayed: ReturnType<typeof replayTokens>): Result<Uint16Array> {
  return replayed.ok ? ok(replayed.value.trace) : replayed;
}

function stateAfter(...traces: Uint16Array[]): BaseballState {
  const state = new BaseballState();
  for (const trace of traces) for (const event of trace) state.play(event);
  return state;
}

/** The tokens of all variables. */
function valuesOf(state: BaseballState): string[] {
  return baseball.variables.map((variable) => variable.of(state));
}
