import type { Domain } from '../../../domains/domain.ts';
import type { QuestionForm } from './question.ts';

/** What questions of a game can name: variables by their tokens, and what each is in a state. */
export interface Askable<State> {
  names: readonly string[];
  /** All values of all variables, and those of one. */
  values: readonly string[];
  valuesOf(name: string): readonly string[];
  of(state: State, name: string): string;
}

/** The variables of a game, their names in square brackets. */
export function askableVariables<State>({ variables }: Domain<State>): Askable<State> {
  const byName = new Map(variables.map((variable) => [`[${variable.name}]`, variable]));
  return {
    names: [...byName.keys()],
    values: [...new Set(variables.flatMap(({ values }) => values))],
    valuesOf: (name) => byName.get(name)!.values,
    of: (state, name) => byName.get(name)!.of(state),
  };
}

/** The paper's three questions: what a variable is, who is ahead, and which five verbs lead to a value of a variable. */
export function paperForms<State>(
  domain: Domain<State>,
  { names, values, valuesOf, of }: Askable<State>,
  [assignment, winning, goal]: readonly [string, string, string],
  winners: Readonly<Record<ReturnType<Domain<State>['leader']>, string>>,
): QuestionForm<State>[] {
  return [
    {
      ...{ kind: 'state', name: 'assignment', indicator: assignment, takes: [names] },
      answers: ([name]) => valuesOf(name),
      answer: (state, [name]) => of(state, name),
    },
    {
      ...{ kind: 'state', name: 'winning', indicator: winning, takes: [] },
      answers: () => Object.values(winners),
      answer: (state) => winners[domain.leader(state)],
    },
    {
      ...{ kind: 'goal', name: 'goal', indicator: goal, takes: [names, values] },
      holds: (state, [name, value]) => of(state, name) === value,
    },
  ];
}
