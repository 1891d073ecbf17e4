import type { CustomQuestion } from '../../../config/questions-schema.ts';

/** Questions to begin with, by domain; a domain without a list has none. */
export const EXAMPLE_QUESTIONS: Readonly<Record<string, readonly Pick<CustomQuestion, 'name' | 'expression'>[]>> = {
  baseball: [
    { name: 'runners on base', expression: 'taken(first, second, third)' },
    { name: 'bases loaded', expression: 'taken(first, second, third) = 3' },
    { name: 'runs of both teams', expression: 'home + away' },
    { name: 'full count', expression: 'balls = 3 and strikes = 2' },
    { name: 'batting team', expression: 'if half = 0 then "away" else "home"' },
  ],
  chess: [
    { name: 'in check', expression: 'check' },
    { name: 'queens on the board', expression: 'count("Q", "q")' },
    { name: 'pawns on the board', expression: 'least(16, count("P", "p"))' },
    { name: 'side to move', expression: 'turn' },
    { name: 'e4 taken', expression: 'not empty(e4)' },
    { name: 'few legal moves', expression: 'legal < 20' },
  ],
  noughts: [
    { name: 'crosses on the board', expression: 'count("X")' },
    { name: 'player to move', expression: 'turn' },
    { name: 'middle taken', expression: 'not empty(b2)' },
    { name: 'last square', expression: 'count("empty") = 1' },
  ],
};
