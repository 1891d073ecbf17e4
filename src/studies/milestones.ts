import type { Evaluation, LiveMilestone, LivePanel } from './live.ts';

/** A milestone of a run: its number, and the evaluation since which it holds. */
export interface Milestone extends LiveMilestone {
  number: number;
  /** Null where it is not reached, or was taken back. */
  since: number | null;
}

/**
 * The milestones of a panel over the evaluations of a run, in their order. One is reached where the lower end of the
 * interval of its score lies above its threshold, and is taken back by an evaluation of which that is not true.
 */
export function milestonesOf(panel: LivePanel, evaluations: readonly Evaluation[]): Milestone[] {
  return (panel.story?.milestones ?? []).map((milestone, at) => {
    const since = heldSince(panel.study, milestone.score, thresholdOf(panel, milestone), evaluations);
    return { ...milestone, number: at + 1, since };
  });
}

/** The step since which the whole interval of a score lies above a threshold; null where it does not, or not any more. */
export function heldSince(
  study: string,
  score: string,
  threshold: number,
  evaluations: readonly Evaluation[],
): number | null {
  let since: number | null = null;
  for (const { step, scores } of evaluations) {
    const low = scores[study]?.[score]?.ci95?.[0] ?? -Infinity;
    since = low > threshold ? (since ?? step) : null;
  }
  return since;
}

/** Infinity where the reference is not known, as before the games of a run were read. */
function thresholdOf({ references }: LivePanel, { score, above }: LiveMilestone): number {
  if (typeof above === 'number') return above;
  return references.find(({ label, values }) => label === above && score in values)?.values[score] ?? Infinity;
}

/** The sentence of the last milestone that holds; null where none does. */
export function headlineOf(milestones: readonly Milestone[]): string | null {
  return milestones.findLast(({ since }) => since !== null)?.sentence ?? null;
}

/** What the newest scores come to, with the interval, in a sentence; null where there are none. */
export function summaryOf(panel: LivePanel, evaluations: readonly Evaluation[]): string | null {
  const { story, study, references } = panel;
  const estimate = story && evaluations.at(-1)?.scores[study]?.[story.summary.score];
  if (!estimate || estimate.mean === null || estimate.ci95 === null) return null;
  const { score, sentence, beside } = story.summary;
  const written = (text: string, share: number): string => text.replace('{n}', inHundred(share));
  const [low, high] = estimate.ci95.map(inHundred);
  const other = beside && references.find(({ label, values }) => label === beside.reference && score in values);
  const held = beside && other ? `; ${written(beside.sentence, other.values[score])}` : '';
  return `${written(sentence, estimate.mean)} (95% interval: ${low} to ${high})${held}.`;
}

const inHundred = (share: number): string => String(Math.round(100 * share));
