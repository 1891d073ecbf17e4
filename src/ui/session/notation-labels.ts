import { unwrap } from '../../base/result.ts';
import { bringsTokens } from '../../config/brought-tokens.ts';
import type { Objective } from '../../config/objectives.ts';
import type { NotationLabels } from '../../domains/domain.ts';
import { domainNamed, notationOf } from '../../domains/domains.ts';
import { TEXT, TEXT_LABELS } from '../../domains/text-notation.ts';

/** The notations that a game offers; of those with a parameter ("rap:15") the chosen one, where it is of that family. */
export function notationsOf(domain: string, chosen: string | null): readonly string[] {
  const found = domainNamed(domain);
  const family = (notation: string): string => notation.split(':', 1)[0];
  const offered = (found.ok ? found.value.notations : []).map((notation) =>
    chosen !== null && family(notation) === family(chosen) ? chosen : notation,
  );
  // A model that a run starts from may have brought another.
  return chosen !== null && bringsTokens({ notation: chosen }) ? [...offered, chosen] : offered;
}

/** What people read of a game's notation. @throws where the game has no such notation */
export function labelsOf(config: { domain: string; notation: string }): NotationLabels {
  return config.notation === TEXT ? TEXT_LABELS : unwrap(notationOf(config)).labels;
}

/** A notation as the paper calls it, "UCI + RAP 15"; by its name where the game has no such notation. */
export function notationTitle(config: { domain: string; notation: string }): string {
  if (config.notation === TEXT) return TEXT_LABELS.title;
  const notation = notationOf(config);
  return notation.ok ? notation.value.labels.title : config.notation;
}

/** What the model learns to expect at each place: its row's title, its one sentence, and what follows from it. */
export const OBJECTIVES: Readonly<Record<Objective, { title: string; brief: string; description: string }>> = {
  next: {
    title: 'What was played next',
    brief: 'It sees games and nothing else.',
    description:
      'At each place the model learns to expect the token that the game goes on with. It never sees the rules.',
  },
  legal: {
    title: 'What was played, and what is legal',
    brief: 'Games and the rules are its teachers: the rules say what is legal at each place.',
    description:
      'At each place the model learns to expect the token that the game goes on with, and to leave no probability to tokens that the rules forbid there. It learns what people play and breaks fewer rules, but its knowledge of the rules comes from being told them.',
  },
  valid: {
    title: 'Everything legal alike',
    brief: 'The rules of the game are its teacher: they say what is legal at each place.',
    description:
      'At each place the model learns to give all tokens that the rules allow the same probability. The rules of the game are its teacher, and it no longer learns which of them are likelier.',
  },
};
