import type { RunRecord } from '../../../workers/train/protocol.ts';
import { gameTitle } from '../../domains/domains.ts';
import { notationTitle } from '../session/notation-labels.ts';
import { runKindLabel } from '../session/runs/run-labels.ts';
import { mainScore } from './score-labels.ts';

/** Which runs are shown. */
export interface RunFilter {
  /** All of its words must occur in what is written about a run, its kind of model or its game. */
  text: string;
  /** The name of a game; "" for all. */
  game: string;
  /** "" for all. */
  tag: string;
}

/** What the list is sorted by. */
export type SortKey = 'name' | 'game' | 'status' | 'step' | 'loss' | 'perplexity' | 'score' | 'device' | 'change';
export interface RunOrder {
  by: SortKey;
  descending: boolean;
}

/** The runs that a person looks for, in the order of the list. */
export function searched(runs: readonly RunRecord[], { text, game, tag }: RunFilter): RunRecord[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((run) => {
    if (game !== '' && run.config.domain !== game) return false;
    if (tag !== '' && !run.tags?.includes(tag)) return false;
    if (words.length === 0) return true;
    const all = [run.name, run.notes, ...(run.tags ?? []), runKindLabel(run.config), gameTitle(run.config.domain)];
    const written = [...all, notationTitle(run.config)].join('\n').toLowerCase();
    return words.every((word) => written.includes(word));
  });
}

/** All tags of the list, in the order of the alphabet. */
export function tagsOf(runs: readonly RunRecord[]): string[] {
  return [...new Set(runs.flatMap(({ tags = [] }) => tags))].sort(alphabet.compare);
}

/** The runs in another order; those without a value come last either way, and equals stay as they were. */
export function sorted(runs: readonly RunRecord[], { by, descending }: RunOrder): RunRecord[] {
  const keyed = runs.map((run) => ({ run, value: keys[by](run) }));
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return (descending ? -1 : 1) * compared(a.value, b.value);
  });
  return keyed.map(({ run }) => run);
}

const alphabet = new Intl.Collator('en', { numeric: true });

function compared(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : alphabet.compare(String(a), String(b));
}

const keys: Record<SortKey, (run: RunRecord) => string | number | null> = {
  name: ({ name }) => name,
  game: ({ config }) => gameTitle(config.domain),
  status: ({ status }) => status,
  step: ({ step }) => step,
  loss: ({ loss }) => loss,
  perplexity: ({ evaluation }) => evaluation?.devPerplexity ?? null,
  score: (run) => (run.evaluation && mainScore(run.config, run.evaluation)?.value.mean) ?? null,
  device: ({ backend }) => backend,
  change: ({ updatedAt }) => updatedAt,
};
