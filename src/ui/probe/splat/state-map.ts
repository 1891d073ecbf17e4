import { hasSquareBoard } from '../../board/state/square-board.ts';
import type { StateMap } from '../../../studies/splat/state-map.ts';

/** What a map of states says at one event, of one variable, and in all. */

/** The state that is true at an event, by variable. */
export function truthAt({ variables, truth }: StateMap, at: number): Record<string, string> {
  return Object.fromEntries(variables.map((name, i) => [name, truth[at][i]]));
}

/** The state that the model believes, and how to draw it: faint where it is right and unsure of it. */
export function beliefAt(
  map: StateMap,
  at: number,
): { values: Record<string, string>; marks: Record<string, { sure: number; wrong: boolean }> } {
  const { variables, believed, truth, truthProbability } = map;
  const values = Object.fromEntries(variables.map((name, i) => [name, believed[at][i]]));
  const marks = Object.fromEntries(
    variables.map((name, i) => {
      const wrong = believed[at][i] !== truth[at][i];
      return [name, { sure: wrong ? 1 : truthProbability[at * variables.length + i], wrong }];
    }),
  );
  return { values, marks };
}

/** How many variables are believed as they are, of how many. */
export function rightAt({ believed, truth }: StateMap, at: number): { right: number; of: number } {
  return { right: believed[at].filter((value, i) => value === truth[at][i]).length, of: believed[at].length };
}

/** Share of all that was asked which is right. */
export function rightOverall(map: StateMap): number {
  let right = 0;
  for (let at = 0; at < map.truth.length; at++) right += rightAt(map, at).right;
  return right / (map.truth.length * map.variables.length);
}

/** Share of the states in which one variable is right. */
export function rightOf({ believed, truth }: StateMap, variable: number): number {
  return truth.filter((values, at) => values[variable] === believed[at][variable]).length / truth.length;
}

/** A strip's rows: a chess board from its eighth rank down, other games in their own order. */
export function stripRows({ domain, variables }: StateMap): number[] {
  const rows = [...variables.keys()];
  return hasSquareBoard(domain) ? rows.map((row) => (7 - (row >> 3)) * 8 + (row & 7)) : rows;
}

/** The map as a table, a line for each variable after each event. */
export function stateMapCsv(map: StateMap, begins: number): string {
  const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = map.truth.flatMap((values, at) =>
    map.variables.map((variable, i) =>
      [
        begins + at,
        quoted(at === 0 ? '' : map.events[at - 1]),
        variable,
        quoted(values[i]),
        quoted(map.believed[at][i]),
        map.truthProbability[at * map.variables.length + i].toFixed(4),
      ].join(','),
    ),
  );
  return ['events,event,variable,truth,believed,probability of the truth', ...lines].join('\r\n') + '\r\n';
}
