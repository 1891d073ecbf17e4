import { taughtIn } from '../../../config/objectives.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { count } from '../../kit/format.ts';
import { modelLabel } from '../../session/runs/run-labels.ts';

/** "GPT-2 with 4 layers of 128, piece names 15%, 1,000 games, seed 1": what tells a run of a sweep from the others. */
export function sweepRunLabel(config: RunConfig): string {
  const taught = taughtIn(config);
  const { notation, data, schedule, seed } = config;
  const names =
    notation === 'uci' ? 'UCI' : notation === 'ap' ? 'piece names always' : `piece names ${notation.slice(4)}%`;
  const length =
    schedule.epochs === null
      ? `${count(schedule.steps)} steps`
      : `${count(schedule.epochs)} ${schedule.epochs === 1 ? 'pass' : 'passes'}`;
  return [
    modelLabel(config),
    names,
    ...(taught === null ? [] : [taught]),
    data.limit === null ? 'all games' : `${count(data.limit)} games`,
    length,
    `seed ${seed}`,
  ].join(', ');
}
