import type { Random } from '../../src/base/random.ts';

/**
 * How one game is played. Drawn for each game, so that openings, strength and the point at which players
 * give up differ from game to game, as they do between people.
 */
export interface Style {
  /** Plies in which candidates are many and weighed loosely. */
  openingPlies: number;
  /** Plies from the start in which a uniformly random legal move may be tried, and how often. */
  randomPlies: number;
  randomShare: number;
  /** Most that a random move may lose against the best, in centipawns. */
  randomLoss: number;
  /** Softmax temperature in centipawns at the first ply and after the opening. */
  openingTemperature: number;
  temperature: number;
  /** A player resigns after `patience` own turns at or below -`score`; null plays on to mate. */
  resignation: { score: number; patience: number } | null;
  /** A draw is agreed after `patience` plies within +-`band`, not before ply `from`. */
  draw: { from: number; band: number; patience: number };
}

export function drawStyle(random: Random): Style {
  const between = (low: number, high: number) => low + (high - low) * random.next();
  return {
    openingPlies: 6 + random.below(7),
    randomPlies: 4 + random.below(5),
    randomShare: between(0, 0.4),
    randomLoss: between(40, 100),
    openingTemperature: between(20, 60),
    temperature: between(5, 40),
    resignation: random.next() < 0.9 ? { score: Math.round(between(250, 650)), patience: 2 + random.below(4) } : null,
    draw: { from: 40 + random.below(81), band: Math.round(between(20, 80)), patience: 4 + random.below(7) },
  };
}

/** The temperature at a ply (0 for the first move): cools along a straight line through the opening. */
export function temperatureAt(style: Style, ply: number): number {
  const share = Math.min(1, ply / style.openingPlies);
  return style.openingTemperature + (style.temperature - style.openingTemperature) * share;
}
