import type { GamesSummary } from '../../../../workers/data/protocol.ts';
import type { RunRecord } from '../../../../workers/train/protocol.ts';
import type { RunConfig } from '../../../config/run-config.ts';

/** Whether two configs make the same run on the same games. */
export function sameConfig(a: RunConfig, b: RunConfig): boolean {
  return sortedJson(asked(a)) === sortedJson(asked(b));
}

/** The kept run of this very config on the games as they are now that has come furthest; null where there is none. */
export function furthestRun(
  config: RunConfig,
  runs: readonly RunRecord[] | null,
  games: readonly GamesSummary[] | null,
): RunRecord | null {
  const hash = games?.find(({ key }) => key === config.data.games)?.hash;
  const alike = (runs ?? []).filter(
    (run) => run.status !== 'lost' && run.config.data.manifest === hash && sameConfig(run.config, config),
  );
  return alike.reduce<RunRecord | null>((best, run) => (best === null || run.step > best.step ? run : best), null);
}

/** Its steps do not tell: a run may end with the first pass over the games that is no better than the last. */
export function isFinished(run: RunRecord): boolean {
  return run.status === 'finished';
}

/** JSON with the fields in one order, whatever order they came in. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}

/** Without what is filled in when a run starts: which games those were, and how many steps its passes over them are. */
function asked({ data, schedule, from = null, ...rest }: RunConfig): object {
  const steps = schedule.epochs === null ? schedule.steps : 0;
  const { games, limit } = data;
  return { ...rest, from, data: { games, limit }, schedule: { ...schedule, steps } };
}
