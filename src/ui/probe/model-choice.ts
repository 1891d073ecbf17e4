import type { RunRecord } from '../../../workers/train/protocol.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { isShipped, type ShippedId } from '../../config/shipped-ids.ts';
import { studiesOf } from '../../studies/studies.ts';
import { count } from '../kit/format.ts';
import { hasShipped, preferredShipped, shippedIds, SHIPPED_NAMES } from '../session/shipped-files.ts';

/** Which models the Probe page offers, and which game each is of. */

/** A shipped model, "files" (a model that was dropped), "run:" and the run's id, or "none" where the game has no model yet. */
export type ModelChoice = ShippedId | 'files' | 'none' | `run:${string}`;

/** The files of a model that a person brought. */
export interface DroppedModel {
  name: string;
  files: Map<string, Uint8Array>;
  /** The game that it reads. */
  domain: string;
}

export function runIdOf(chosen: ModelChoice): string | null {
  return chosen.startsWith('run:') ? chosen.slice(4) : null;
}

export function runOf(lab: Pick<Lab, 'runs'>, chosen: ModelChoice): RunRecord | null {
  const id = runIdOf(chosen);
  return (id !== null && lab.runs.named(id)) || null;
}

/** Step of a run's newest checkpoint; the list lags behind the run that is being trained. */
export function savedStepOf(lab: Pick<Lab, 'run'>, run: RunRecord): number {
  return lab.run.record?.id === run.id ? lab.run.savedStep : run.step;
}

/** Steps of a run before its newest that can be measured. */
export function pastStepsOf(lab: Pick<Lab, 'run'>, run: RunRecord): readonly number[] {
  const stored = lab.run.record?.id === run.id ? lab.run.snapshots : (run.snapshots ?? []);
  return stored.filter((step) => step < savedStepOf(lab, run));
}

/** Runs of the page's game that have weights and that some study can ask, newest first. */
export function offeredRuns(lab: Lab): RunRecord[] {
  return (lab.runs.list ?? []).filter(
    (run) => run.config.domain === lab.domain && savedStepOf(lab, run) > 0 && studiesOf(run.config).length > 0,
  );
}

/** A model that can be asked now, in a list. */
export interface OfferedModel {
  /** As stored answers name it: a run by its id, others by their names. */
  key: string;
  label: string;
  choice: ModelChoice;
}

/** The models of the page's game: the shipped one, runs, and one that a person brought. */
export function offeredModels(lab: Lab, dropped: DroppedModel | null): OfferedModel[] {
  const runs = offeredRuns(lab).map((run): OfferedModel => ({
    key: `run:${run.id}`,
    label: `${run.name}, step ${count(savedStepOf(lab, run))}`,
    choice: `run:${run.id}`,
  }));
  return [
    ...shippedIds(lab.domain).map((choice) => ({ key: SHIPPED_NAMES[choice], label: SHIPPED_NAMES[choice], choice })),
    ...runs,
    ...(dropped?.domain === lab.domain
      ? [{ key: dropped.name, label: `${dropped.name} (your files)`, choice: 'files' as const }]
      : []),
  ];
}

/** Whether what is chosen is of the page's game; what a person brought always stays. */
export function suits(lab: Lab, chosen: ModelChoice, domain: string): boolean {
  if (chosen === 'files') return true;
  if (chosen === 'none' || domain !== lab.domain) return false;
  return !isShipped(chosen) || shippedIds(domain).includes(chosen);
}

/**
 * What the page begins with in its game: the run that was trained since the lab was opened, else the model that comes with
 * the lab, else the newest run.
 */
export function firstChoice(lab: Lab): ModelChoice {
  const { record } = lab.run;
  if (record && offeredRuns(lab).some(({ id }) => id === record.id)) return `run:${record.id}`;
  if (hasShipped(lab.domain)) return preferredShipped(lab.domain);
  const [newest] = offeredRuns(lab);
  return newest ? `run:${newest.id}` : 'none';
}
