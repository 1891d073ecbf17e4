import { trainingSizeOf } from './configurations.ts';
import { endRows, perplexityRows, startRows, trainingSizes, type PaperRow, type TrainingSize } from './published.ts';

/** What the paper has of the model that learned from one of its training sets with the pieces named in some moves. */
export interface PaperScores {
  size: TrainingSize;
  /** Shares of legal and exact answers about prefixes of 51 to 100 plies: where a piece goes, and where it stands. */
  endLegal: number;
  endExact: number;
  startLegal: number;
  startExact: number;
  /** Canonical, on the dev games. */
  perplexity: number;
}

/** The paper's training set nearest in size, by ratio; the smallest where the number of games is not known. */
export function nearestSize(games: number | null): TrainingSize {
  const exact = trainingSizeOf(games);
  if (exact !== null || games === null || games <= 0) return exact ?? 'S';
  const far = (size: TrainingSize): number => Math.abs(Math.log(games / trainingSizes[size]));
  return (Object.keys(trainingSizes) as TrainingSize[]).reduce((a, b) => (far(b) < far(a) ? b : a));
}

/** The paper's row (UCI + RAP, GPT2 of 85 million parameters) of the training set nearest in size. */
export function paperRow(games: number | null): PaperScores {
  const size = nearestSize(games);
  const of = (rows: readonly PaperRow[]) =>
    rows.find(({ model }) => model.size === size && model.notation === 'rap')!.values as number[];
  const [end, start] = [of(endRows), of(startRows)];
  return {
    size,
    ...{ endLegal: end[0] / 100, endExact: end[4] / 100, startLegal: start[0] / 100, startExact: start[4] / 100 },
    perplexity: of(perplexityRows)[0],
  };
}
