import { trainingSizeOf } from './configurations.ts';
import { trainingSizes, type TrainingSize } from './published.ts';

/** The paper's training set nearest in size, by ratio; the smallest where the number of games is not known. */
export function nearestSize(games: number | null): TrainingSize {
  const exact = trainingSizeOf(games);
  if (exact !== null || games === null || games <= 0) return exact ?? 'S';
  const far = (size: TrainingSize): number => Math.abs(Math.log(games / trainingSizes[size]));
  return (Object.keys(trainingSizes) as TrainingSize[]).reduce((a, b) => (far(b) < far(a) ? b : a));
}
