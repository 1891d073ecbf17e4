import { quantile } from '../../src/base/statistics.ts';
import type { RaceRound, RaceStep } from './protocol.ts';

/** A race so far, reduced to what is shown. Medians are over rounds. */
export interface RaceSummary {
  /** Tokens a second. */
  compiled: number;
  stock: number;
  /** How many times faster the compiled engine was: the median of the rounds' ratios, and their range. */
  ratio: { median: number; least: number; most: number };
  /** The largest relative difference between the two losses of a round. */
  lossDifference: number;
  /** Of the last round. */
  losses: { compiled: number; stock: number };
}

/** Null before the first round. */
export function summarise(rounds: readonly RaceRound[]): RaceSummary | null {
  const last = rounds.at(-1);
  if (last === undefined) return null;
  const speed = (side: (round: RaceRound) => RaceStep) =>
    quantile(
      rounds.map((round) => (1000 * round.tokens) / side(round).milliseconds),
      0.5,
    );
  const ratios = rounds.map(({ compiled, stock }) => stock.milliseconds / compiled.milliseconds);
  return {
    compiled: speed((round) => round.compiled),
    stock: speed((round) => round.stock),
    ratio: { median: quantile(ratios, 0.5), least: Math.min(...ratios), most: Math.max(...ratios) },
    lossDifference: Math.max(
      ...rounds.map(({ compiled, stock }) => Math.abs(compiled.loss - stock.loss) / Math.abs(stock.loss)),
    ),
    losses: { compiled: last.compiled.loss, stock: last.stock.loss },
  };
}

/** A row for each round. */
export function raceCsv(rounds: readonly RaceRound[]): string {
  const rows = rounds.map(({ tokens, compiled, stock }, i) =>
    [i + 1, tokens, compiled.milliseconds, stock.milliseconds, compiled.loss, stock.loss].join(','),
  );
  return ['round,tokens,compiled_ms,stock_ms,compiled_loss,stock_loss', ...rows].join('\n') + '\n';
}
