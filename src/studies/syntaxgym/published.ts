import type { Suite } from './suite.ts';

/**
 * Circuits of the suites of Hu et al. 2020 (“A Systematic Assessment of Syntactic Generalization in Neural Language
 * Models”, section 3), by the beginnings of their names.
 */
const CIRCUITS: readonly [circuit: string, beginnings: readonly string[]][] = [
  ['Agreement', ['number_']],
  ['Licensing', ['npi_', 'reflexive_']],
  ['Long-Distance Dependencies', ['fgd', 'cleft']],
  ['Garden-Path Effects', ['npz_', 'mvrr', 'nn-nv-rpl']],
  ['Gross Syntactic State', ['subordination']],
  ['Center Embedding', ['center_embed']],
];

/** What a suite is counted by: its tags, or its circuit in Hu et al. */
export function tagsOf({ meta }: Suite): readonly string[] {
  if (meta.tags && meta.tags.length > 0) return meta.tags;
  const circuit = CIRCUITS.find(([, beginnings]) => beginnings.some((beginning) => meta.name.startsWith(beginning)));
  return [circuit?.[0] ?? 'other'];
}

export interface PublishedScores {
  model: string;
  /** Mean accuracy over the 31 suites, between 0 and 1. */
  mean: number;
  circuits: Readonly<Record<string, number>>;
}

const names = CIRCUITS.map(([name]) => name);
const row = (model: string, mean: number, ...shares: number[]): PublishedScores => ({
  model,
  mean,
  circuits: Object.fromEntries(names.map((name, i) => [name, shares[i]])),
});

/** Hu et al. 2020, figures 1 and 2; their released answers come to these. */
export const PUBLISHED: readonly PublishedScores[] = [
  row('GPT-2 XL', 0.842, 0.772, 0.787, 0.826, 0.928, 0.87, 0.964),
  row('GPT-2', 0.784, 0.737, 0.658, 0.814, 0.881, 0.891, 0.893),
  row('Transformer-XL', 0.596, 0.719, 0.384, 0.536, 0.68, 0.891, 0.804),
  row('JRNN', 0.563, 0.509, 0.253, 0.81, 0.829, 0.478, 0.821),
  row('GRNN', 0.551, 0.526, 0.134, 0.729, 0.818, 0.891, 0.661),
];
