import type { RunConfig } from '../../config/run-config.ts';
import { domainNamed, notationOf } from '../../domains/domains.ts';

/** The notations that a game offers; of those with a parameter ("rap:15") the chosen one, where it is of that family. */
export function notationsOf(domain: string, chosen: string | null): readonly string[] {
  const found = domainNamed(domain);
  const family = (notation: string): string => notation.split(':', 1)[0];
  return (found.ok ? found.value.notations : []).map((notation) =>
    chosen !== null && family(notation) === family(chosen) ? chosen : notation,
  );
}

/** A notation as the paper calls it, "UCI + RAP 15"; by its name where the game has no such notation. */
export function notationTitle(config: { domain: string; notation: string }): string {
  const notation = notationOf(config);
  return notation.ok ? notation.value.labels.title : config.notation;
}

/** An objective: its row's title, its one sentence, and what follows from it. */
export interface ObjectiveLabels {
  title: string;
  brief: string;
  description: string;
}

/** What the model learns to expect at each place. */
export const OBJECTIVES: Readonly<Record<RunConfig['objective'], ObjectiveLabels>> = {
  next: {
    title: 'What was played next',
    brief: 'It sees games and nothing else.',
    description:
      'At each place the model learns to expect the token that the game goes on with. It never sees the rules.',
  },
  valid: {
    title: 'Everything legal alike',
    brief: 'The rules of the game are its teacher: they say what is legal at each place.',
    description:
      'At each place the model learns to give all tokens that the rules allow the same probability. The rules of the game are its teacher, and it no longer learns which of them are likelier.',
  },
};
