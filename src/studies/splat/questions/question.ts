import type { Random } from '../../../base/random.ts';
import type { Result } from '../../../base/result.ts';
import type { Domain, Notation } from '../../../domains/domain.ts';

/**
 * Questions of SPLAT (Demeter and Downey, CoNLL 2021, sections 3.3 and 5.1) are lines of the game's own tokens:
 * "[start] verbs [sep] Q arguments answer [end]". This file says what a kind of question is and what a game must offer
 * for questions to be read, checked and made: the paper's two are in chess-questions.ts and baseball-questions.ts, and
 * plain-questions.ts serves any other.
 */

/** A question whose answer is one token that the state decides: variable assignment, who is winning. */
export interface StateQuestion<State> {
  kind: 'state';
  name: string;
  /** The token that asks: "Q3". */
  indicator: string;
  /** The tokens possible as each argument. */
  takes: readonly (readonly string[])[];
  /** The tokens possible as the answer, the candidates that a model ranks. */
  answers(args: readonly string[]): readonly string[];
  answer(state: State, args: readonly string[]): string;
}

/** A question whose answer is five verbs that lead to what the arguments say. */
export interface GoalQuestion<State> {
  kind: 'goal';
  name: string;
  indicator: string;
  takes: readonly (readonly string[])[];
  holds(state: State, args: readonly string[]): boolean;
}

export type QuestionForm<State> = StateQuestion<State> | GoalQuestion<State>;

/** Verbs in the answer of every goal question. */
export const GOAL_VERBS = 5;

/**
 * How baseball's goal questions continue the game. In all of the authors' lines the first verb of the answer repeats
 * the last one before [sep], and the goal is the state after it was applied twice: `released`. In `corrected` the answer
 * is the game's own continuation. Chess has no such fault, and the two are one.
 */
export type GoalMode = 'released' | 'corrected';
export const GOAL_MODES: readonly GoalMode[] = ['released', 'corrected'];

/** One question as it was read or made. */
export interface QuestionLine {
  /** The name of the domain: "chess". */
  game: string;
  /** Name of its form: "assignment", "winning", "goal" or one that was added. */
  form: string;
  /** Events before [sep]. */
  prefix: Uint16Array;
  /** Tokens of the arguments. */
  args: readonly string[];
  /** The answer of a state question; null for a goal. */
  answer: string | null;
  /** The events that answer a goal question; null for the others. */
  path: Uint16Array | null;
}

/** What a game offers so that questions can be asked of it. */
export interface SplatGame<State> {
  domain: Domain<State>;
  /** The game in SPLAT form, one vocabulary for verbs and questions. */
  notation: Notation;
  forms: readonly QuestionForm<State>[];
  /** The ways in which its goal questions go on: one, unless its released lines have the fault. */
  goalModes: readonly GoalMode[];
  /** Whether this token can begin a line of this game. */
  begins(token: string): boolean;
  /** The events of verbs in tokens; failures name the token or ply. `firstToken`: the number of tokens[0] in its line. */
  read(tokens: readonly string[], firstToken: number): Result<Uint16Array>;
  /** The events of an answer, as far as they can be read; whether they are legal is for `isLegalPath`, or fails here. */
  readPath(tokens: readonly string[], firstToken: number, prefix: Uint16Array): Result<Uint16Array>;
  /** The state after events. A symbolic program only: nothing is checked. */
  stateAfter(...traces: Uint16Array[]): State;
  /** Whether the game allows these events one after another. */
  isLegalPath(state: State, path: Uint16Array): boolean;
  /** Token ids that may legally follow. */
  nextTokens(state: State): number[];
  /** Token ids that legal verbs are spelt with, ascending; left out where a verb is one token and both are the same. */
  spelling?(state: State): number[];
  /** A number of verbs before [sep] in a game of so many events by the authors' distribution; null where it is too short. */
  drawLength(form: QuestionForm<State>, events: number, random: Random): number | null;
  /** A goal that the trace reaches five verbs after its first `length`; null where the authors would ask none. */
  drawGoal(
    trace: Uint16Array,
    length: number,
    mode: GoalMode,
    random: Random,
  ): { args: string[]; path: Uint16Array } | null;
}
